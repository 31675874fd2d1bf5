/** A W3C WebDriver session over plain HTTP: the few commands that the tests need. */
export interface WebDriver {
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** A command of the session; `path` begins after the session's id. @throws WebDriverError */
  command<Result = unknown>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Result>;
}

/** What the driver said no with; branch on `code` (https://www.w3.org/TR/webdriver2/#errors). */
export class WebDriverError extends Error {
  override readonly name = 'WebDriverError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

interface Answer {
  readonly value: unknown;
}
interface Refusal {
  readonly error: string;
  readonly message: string;
}

async function call(url: string, method: string, body?: object): Promise<unknown> {
  const init = body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {};
  const response = await fetch(url, { method, ...init });
  const { value } = (await response.json()) as Answer;
  if (response.ok) return value;
  const { error, message } = value as Refusal;
  throw new WebDriverError(error, message);
}

/** Waits for a driver that is starting. @throws Error when it does not answer within 10 s */
async function untilReady(base: string): Promise<void> {
  const deadlineAt = Date.now() + 10_000;
  for (;;) {
    try {
      await call(`${base}/status`, 'GET');
      return;
    } catch (error) {
      if (Date.now() > deadlineAt) throw new Error('the WebDriver does not answer', { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Opens a session. @param base `http://host:port` of the driver */
export async function openWebDriver(base: string, alwaysMatch: object): Promise<WebDriver> {
  await untilReady(base);
  const session = (await call(`${base}/session`, 'POST', { capabilities: { alwaysMatch } })) as {
    sessionId: string;
    capabilities: Record<string, unknown>;
  };
  return {
    capabilities: session.capabilities,
    command: async <Result>(method: string, path: string, body?: object) =>
      (await call(`${base}/session/${session.sessionId}${path}`, method, body)) as Result,
  };
}
