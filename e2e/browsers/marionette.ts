import { connect, type Socket } from 'node:net';
import { type WebDriver, WebDriverError } from './webdriver.ts';

/** Firefox's own remote control: WebDriver's commands, and scripts with the powers of the browser itself. */
export interface Marionette extends WebDriver {
  /** Runs the body of an async function in the browser's own context, where Gecko's services are. */
  inBrowser<Result>(body: string): Promise<Result>;
  /** Drops the connection, for a browser that is gone. */
  disconnect(): void;
}

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void };
type Answer = readonly [type: 1, id: number, error: { error: string; message: string } | null, result: unknown];

/**
 * Splits a stream of `length:json` into messages.
 * @see https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
 */
function readMessages(socket: Socket, take: (message: unknown) => void): void {
  let buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (let colon = buffer.indexOf(':'); colon > 0; colon = buffer.indexOf(':')) {
      const end = colon + 1 + Number(buffer.subarray(0, colon).toString());
      if (buffer.length < end) return;
      take(JSON.parse(buffer.subarray(colon + 1, end).toString()));
      buffer = buffer.subarray(end);
    }
  });
}

// WebDriver's routes and Marionette's names for them; `:id` is the element.
const names: readonly (readonly [route: RegExp, name: string])[] = [
  [/^POST \/url$/, 'Navigate'],
  [/^GET \/url$/, 'GetCurrentURL'],
  [/^POST \/refresh$/, 'Refresh'],
  [/^POST \/execute\/async$/, 'ExecuteAsyncScript'],
  [/^POST \/execute\/sync$/, 'ExecuteScript'],
  [/^POST \/element\/(?<id>[^/]+)\/click$/, 'ElementClick'],
  [/^POST \/element\/(?<id>[^/]+)\/clear$/, 'ElementClear'],
  [/^POST \/element\/(?<id>[^/]+)\/value$/, 'ElementSendKeys'],
  [/^POST \/actions$/, 'PerformActions'],
  [/^GET \/screenshot$/, 'TakeScreenshot'],
  [/^GET \/window$/, 'GetWindowHandle'],
  [/^POST \/window$/, 'SwitchToWindow'],
  [/^POST \/window\/new$/, 'NewWindow'],
  [/^DELETE \/window$/, 'CloseWindow'],
];

/** Marionette wraps single values; a few commands answer with an object of their own. */
const unwrap = (result: unknown): unknown =>
  typeof result === 'object' && result !== null && 'value' in result ? result.value : result;

export async function openMarionette(port: number): Promise<Marionette> {
  const socket = connect(port, '127.0.0.1');
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  const greeted = new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    readMessages(socket, (message) => {
      if (!Array.isArray(message)) return resolve();
      const [, id, error, result] = message as unknown as Answer;
      const call = waiting.get(id);
      waiting.delete(id);
      if (error) call?.reject(new WebDriverError(error.error, error.message));
      else call?.resolve(result);
    });
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    for (const call of waiting.values()) call.reject(new Error('Firefox is gone'));
    waiting.clear();
  });

  const send = (name: string, parameters: object = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (socket.destroyed) return reject(new Error('Firefox is gone'));
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      const text = JSON.stringify([0, lastId, name, parameters]);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });

  await greeted;
  const session = (await send('WebDriver:NewSession', {
    timeouts: { script: 120_000, pageLoad: 60_000, implicit: 0 },
  })) as { capabilities: Record<string, unknown> };

  return {
    capabilities: session.capabilities,
    command: async <Result>(method: string, path: string, body: object = {}) => {
      for (const [route, name] of names) {
        const match = route.exec(`${method} ${path}`);
        // Without a sandbox of its own, a script sees the page's globals as the page does.
        const sandbox = name.startsWith('Execute') ? { sandbox: null } : {};
        if (match) return unwrap(await send(`WebDriver:${name}`, { ...body, ...match.groups, ...sandbox })) as Result;
      }
      throw new Error(`Marionette has no name for ${method} ${path}`);
    },
    inBrowser: async <Result>(body: string) => {
      await send('Marionette:SetContext', { value: 'chrome' });
      try {
        const script = `const done = arguments[arguments.length - 1];
          (async () => { ${body} })().then((value) => done({ value }), (error) => done({ error: String(error) }));`;
        const outcome = unwrap(await send('WebDriver:ExecuteAsyncScript', { script, args: [] })) as
          | { value: Result }
          | { error: string };
        if ('error' in outcome) throw new Error(outcome.error);
        return outcome.value;
      } finally {
        await send('Marionette:SetContext', { value: 'content' });
      }
    },
    disconnect: () => void socket.destroy(),
  };
}
