import type { Seen } from '../seen';
import { type Queue } from './subject';

declare const self: ServiceWorkerGlobalScope;
declare const SyncEvent: new (type: 'sync', init: { tag: string; lastChance: boolean }) => ExtendableEvent;

export type Probe = () => Promise<Seen>;

export type QueueOptions = ConstructorParameters<typeof Queue>[1];

let names = 0;

/** A queue name, and an origin of its own, so that no probe knows of another's trouble. */
export function freshName(): string {
  return `queue-${(names += 1)}`;
}

/** A server for one probe: there is no network in the lab, and what other probes left behind is answered unseen. */
export function lab() {
  const origin = `https://${freshName()}.example`;
  const sent: { url: string; request: Request }[] = [];
  let answer: (request: Request) => Promise<Response> | Response = () => new Response('ok');
  self.fetch = async (input) => {
    const request = input as Request;
    const { origin: target, pathname } = new URL(request.url);
    const mine = target === origin || target === self.location.origin;
    if (mine) sent.push({ url: pathname, request: Request.prototype.clone.call(request) });
    // As a network does: it takes the body.
    await request.arrayBuffer();
    return mine ? answer(request) : new Response('ok');
  };
  return {
    origin,
    sent,
    paths: () => sent.map(({ url }) => url),
    /** What the server does from now on. */
    answers: (next: typeof answer) => void (answer = next),
    request: (path: string, init: RequestInit = {}) =>
      new Request(path.startsWith('/') ? origin + path : path, { method: 'POST', body: path, ...init }),
  };
}

export const offline = () => Promise.reject(new TypeError('Failed to fetch'));
export const status = (code: number) => () => new Response(null, { status: code });

/** Runs `work` and says how it ended: a value, or the name of the error. */
export async function outcome(work: () => unknown): Promise<Seen> {
  try {
    const value = await work();
    return { resolved: (value ?? null) as Seen };
  } catch (error) {
    return { rejected: error instanceof Error ? error.name : `not an Error: ${String(error)}` };
  }
}

/** A sync event as the browser sends it, but at once. @returns what was waited for, undefined when nobody took the event */
export function sync(tag: string, lastChance = false): Promise<Seen> | undefined {
  const event = new SyncEvent('sync', { tag, lastChance });
  const promises: Promise<unknown>[] = [];
  Object.defineProperty(event, 'waitUntil', { value: (promise: Promise<unknown>) => void promises.push(promise) });
  self.dispatchEvent(event);
  return promises[0] && outcome(() => Promise.all(promises).then(() => undefined));
}

export const tagOf = (name: string) => `workbox-background-sync:${name}`;

function onRegister(value: (tag: string) => Promise<void>): void {
  Object.defineProperty(self.registration.sync, 'register', { configurable: true, value });
}

/** From now on nothing is registered with the browser: its own sync events would come between the probes. */
export function holdSync(): void {
  onRegister(async () => undefined);
}

/** Which tags were registered while `work` ran. @param refuse the browser says no */
export async function registered(work: () => Promise<unknown>, refuse = false): Promise<string[]> {
  const tags: string[] = [];
  onRegister(async (tag) => {
    tags.push(tag);
    if (refuse) throw new DOMException('Permission denied', 'NotAllowedError');
  });
  try {
    await work();
  } finally {
    holdSync();
  }
  return tags;
}

/** Types of the listeners that were added while `work` ran. */
export function listeners(work: () => void): string[] {
  const types: string[] = [];
  const original = self.addEventListener.bind(self);
  self.addEventListener = (type: string, ...rest: [never]) => {
    types.push(type);
    original(type, ...rest);
  };
  try {
    work();
  } finally {
    self.addEventListener = original;
  }
  return types;
}

/** Works in a browser without Background Sync. */
export async function withoutSync<T>(work: () => Promise<T> | T): Promise<T> {
  const own = Object.getOwnPropertyDescriptor(ServiceWorkerRegistration.prototype, 'sync')!;
  delete (ServiceWorkerRegistration.prototype as { sync?: unknown }).sync;
  try {
    return await work();
  } finally {
    Object.defineProperty(ServiceWorkerRegistration.prototype, 'sync', own);
  }
}

/** Paths of what is in a queue, in its order. */
export async function contents(queue: Queue): Promise<string[]> {
  return (await queue.getAll()).map(({ request }) => new URL(request.url).pathname);
}

export async function describeRequest(request: Request): Promise<Seen> {
  const { method, url, mode, credentials, cache, redirect, referrer, referrerPolicy, integrity, keepalive } = request;
  const bytes = new Uint8Array(await request.clone().arrayBuffer());
  const headers: Record<string, string> = {};
  request.headers.forEach((value, name) => (headers[name] = value.replace(/boundary=.*/, 'boundary=…')));
  const rest = { mode, credentials, cache, redirect, referrer, referrerPolicy, integrity, keepalive };
  // Every run has another boundary, of another length at times.
  const body = headers['content-type']?.startsWith('multipart') ? bytes.length > 200 : [...bytes].join(' ');
  return { method, url: url.replace(/queue-\d+/, 'queue'), headers, body, ...rest };
}

/** An event an app's code can lean on, without a browser behind it. */
export function extendable(): { event: ExtendableEvent; over: () => Promise<unknown> } {
  const waits: Promise<unknown>[] = [];
  const event = new ExtendableEvent('fetch');
  Object.defineProperty(event, 'waitUntil', { value: (promise: Promise<unknown>) => void waits.push(promise) });
  return { event, over: () => Promise.allSettled(waits) };
}
