import { openPorts } from '../browser/open-ports';
import { queuedReply } from '../browser/reply';
import { resolveConfig, type Resolved } from '../core/config';
import type { OutboxConfig } from '../core/options';
import { passHeader } from '../core/wire';
import { capture, type partsOf } from '../flow/capture';
import type { Context } from '../flow/context';
import { createEngine, type Engine } from '../flow/engine';
import { factsOf } from '../flow/intent';
import { whoIsSignedIn } from '../flow/subject';
import type { WakeReason } from '../flow/wake-reason';
import { log } from '../flow/context';
import { readCall } from './call-header';
import { onMessages } from './on-message';
import { createSyncHint, onSync } from './on-sync';

declare const self: ServiceWorkerGlobalScope;

/** The outbox in a service worker. */
export interface WorkerOutbox {
  readonly name: string;
  /** Looks at the queue now; resolves when nothing can go at this moment. Call it inside `event.waitUntil`. */
  drain(): Promise<void>;
  /** Answers a fetch event for a request that matches a route; undefined (and untouched) otherwise. */
  handle(event: FetchEvent): Promise<Response> | undefined;
}

/**
 * Installs an outbox in this service worker: takes matching writes, keeps what cannot be delivered, sends it again. Call it
 * while the worker's script runs, beside any other listeners (Workbox, Serwist, your own). What no route matches is not
 * touched: no `respondWith`, no clone.
 * @throws OutboxError `bad-option`
 */
export function installOutbox(config: OutboxConfig): WorkerOutbox {
  const resolved = resolveConfig(config);
  const engine = createEngine(contextOf(resolved), { shouldYield: () => self.registration.waiting !== null });
  const hint = createSyncHint(engine, () => self.registration);
  const outbox: WorkerOutbox = {
    name: resolved.name,
    drain: () => engine.drain.wake('person'),
    handle: (event) => handle(engine, hint, event),
  };

  self.addEventListener('fetch', (event) => {
    const response = outbox.handle(event);
    if (response) event.respondWith(response);
  });
  // Not waited for: until a worker is active the pages' requests stand still, and a server that hangs would hold them all up.
  self.addEventListener('activate', () => void engine.drain.wake('start'));
  onMessages(engine);
  onSync(engine);
  return outbox;
}

function contextOf(config: Resolved): Context {
  const ports = openPorts(config.name, config.config.encrypt === true);
  let sequence = 0;
  return {
    ...ports,
    config,
    owner: `worker-${ports.system.id()}`,
    origin: self.location.origin,
    subject: () => whoIsSignedIn(config.config, ports.store),
    device: () => ports.store.device(),
    sequence: () => (sequence += 1),
    tell: () => undefined,
  };
}

function handle(engine: Engine, hint: () => Promise<void>, event: FetchEvent): Promise<Response> | undefined {
  const { request } = event;
  const { config, origin, owner } = engine.context;
  const found = config.route(
    { ...factsOf(partsOfCheap(request)), header: (name) => request.headers.get(name) },
    origin,
  );
  if (!found) return undefined;

  if (request.headers.has(passHeader))
    return fetch(new Request(request, { headers: without(request.headers, passHeader) }));

  let tellAnswered = (): void => undefined;
  const answered = new Promise<void>((resolve) => (tellAnswered = resolve));
  const result = (async () => {
    const { call, request: captured } = readCall(await capture(request));
    return engine.live({ captured, ...found, call, caughtBy: { clientId: event.clientId, run: owner }, answered });
  })();
  const response = result.then(
    (outcome) => {
      if (outcome.kind === 'answered') return outcome.response as Response;
      if (outcome.kind === 'failed') return Response.error();
      return queuedReply(outcome.entry, found.route, engine.context.store.status().durability === 'memory');
    },
    (error: unknown) => {
      log(engine.context, { event: 'error', route: found.route.name, message: String(error) });
      return Response.error();
    },
  );
  void response.then(tellAnswered);
  event.waitUntil(
    result.then(
      (outcome) => afterwards(engine, hint, outcome.kind),
      () => undefined,
    ),
  );
  return response;
}

/** The page has its answer; now the queue gets its turn while the worker is awake anyway. */
async function afterwards(
  engine: Engine,
  hint: () => Promise<void>,
  kind: 'answered' | 'queued' | 'failed',
): Promise<void> {
  const why: WakeReason | undefined = kind === 'queued' ? 'enqueue' : kind === 'answered' ? 'live-success' : undefined;
  if (kind === 'queued') await hint();
  if (why) await engine.drain.wake(why);
}

function without(headers: Headers, name: string): Headers {
  const others = new Headers(headers);
  others.delete(name);
  return others;
}

/** What routes need to decide, without copying headers: this runs for every request of the page. */
function partsOfCheap(request: Request): ReturnType<typeof partsOf> {
  return {
    method: request.method,
    url: request.url.replace(/#.*$/s, ''),
    headers: [],
    mode: request.mode,
    credentials: '',
    cache: '',
    redirect: '',
    referrer: '',
    referrerPolicy: '',
    integrity: '',
  };
}
