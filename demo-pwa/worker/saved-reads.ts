/** Cache of what the API answered last, for when it does not. Emptied by the page when another inspector signs in. */
export const savedReads = 'round-reads';
/** On an answer from the cache: when its request was sent, epoch ms. */
export const savedAtHeader = 'round-saved-at';

/** Reads that are kept. The session is not: whoever looks at it wants the truth or nothing. */
const kept = /^\/api\/(sites|notes|photos\/[\w-]+)$/;

/** How long a read waits for the network where there is something saved, ms. A server that hangs must not hang the app. */
const patienceMs = 3_000;

/** What the answers are made of. Tests bring their own. */
export interface ReadPorts {
  fetch(request: Request): Promise<Response>;
  cache: () => Promise<Cache>;
  /** Resolves when a read has waited long enough. */
  patience(): Promise<void>;
  now(): number;
}

export const realPorts: ReadPorts = {
  fetch: (request) => fetch(request),
  cache: () => caches.open(savedReads),
  patience: () => new Promise((over) => setTimeout(over, patienceMs)),
  now: () => Date.now(),
};

/** Whether a request is a read that is kept. */
export function isKept(method: string, url: URL, ownOrigin: string): boolean {
  return method === 'GET' && url.origin === ownOrigin && kept.test(url.pathname);
}

/**
 * The network's answer; the saved one where the network has none, is too slow, or answers with a server's failure or a
 * stranger's page. A refusal (401, 404) is an answer and is passed on.
 *
 * @returns the answer, and what the worker must stay alive for
 */
export function answerRead(request: Request, ports = realPorts): { answer: Promise<Response>; done: Promise<unknown> } {
  const saved = ports.cache().then((cache) => cache.match(request, { ignoreVary: true }));
  if (new URL(request.url).pathname.startsWith('/api/photos/')) {
    // A photo never changes under its id, so what is saved is as good as new.
    const answer = saved.then((found) => found ?? fetchAndSave(request, ports));
    return { answer, done: answer };
  }
  const live = fetchAndSave(request, ports);
  const good = live.then(
    (response) => (isOurs(response) ? response : undefined),
    () => undefined,
  );
  const first = Promise.race([good, ports.patience().then(() => saved)]);
  return { answer: first.then(async (response) => response ?? (await saved) ?? live), done: good };
}

async function fetchAndSave(request: Request, ports: ReadPorts): Promise<Response> {
  const sentAt = ports.now();
  const response = await ports.fetch(request);
  if (isOurs(response) && response.status === 200) await save(request, response.clone(), sentAt, ports);
  return response;
}

function isOurs(response: Response): boolean {
  const type = response.headers.get('content-type') ?? '';
  const failed = response.status >= 500 || response.status === 429;
  return !failed && !response.redirected && !type.startsWith('text/html');
}

/** Keeps an answer for when there is no network. Also for the page, on its first visit, before there is a worker. */
export async function save(request: Request, response: Response, sentAt: number, ports = realPorts): Promise<void> {
  const headers = new Headers(response.headers);
  headers.set(savedAtHeader, String(sentAt));
  // Only what was read to its end is worth keeping.
  const copy = new Response(await response.blob(), { status: response.status, headers });
  await ports.cache().then((cache) => cache.put(request, copy));
}
