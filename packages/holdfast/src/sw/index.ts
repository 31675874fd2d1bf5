import { hints } from '../browser/hints';
import { openPorts } from '../browser/open-ports';
import { queuedReply } from '../browser/reply';
import { resolveConfig, type Resolved } from '../core/config';
import type { CallOptions, OutboxConfig } from '../core/options';
import { callOf, passMark } from '../core/wire';
import { capture, type partsOf } from '../flow/capture';
import type { Context } from '../flow/context';
import { createEngine, type Engine } from '../flow/engine';
import { factsOf } from '../flow/intent';
import { createNudge, type Nudge } from '../flow/nudge';
import { whoIsSignedIn } from '../flow/subject';
import { log } from '../flow/context';
import { onMessages } from './on-message';
import { createSyncHint, onSync } from './on-sync';
import { bypassReads } from './static-routes';
import { createUnderway, type Underway } from './underway';

declare const self: ServiceWorkerGlobalScope;

export interface InstallOptions {
  /**
   * Reads (GET, HEAD) go to the network past this worker, where the engine can be told so (Chromium) and no route takes them:
   * none waits for it, and only a navigation starts it. Only for a worker with nothing else in it: precaching and other fetch
   * listeners would never be asked.
   * @default false
   */
  readonly onlyWrites?: boolean;
}

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
export function installOutbox(config: OutboxConfig, { onlyWrites = false }: InstallOptions = {}): WorkerOutbox {
  const resolved = resolveConfig(config);
  const engine = createEngine(contextOf(resolved), { shouldYield: () => self.registration.waiting !== null });
  hints?.worker(resolved, engine.context.system, uncontrolledPages);
  const hint = createSyncHint(engine, () => self.registration);
  const underway = createUnderway();
  const { system } = engine.context;
  const nudges: Nudges = {
    queued: createNudge(system, async () => void (await Promise.all([hint(), engine.drain.wake('enqueue')]))),
    answered: createNudge(system, () => engine.drain.wake('live-success')),
  };
  const outbox: WorkerOutbox = {
    name: resolved.name,
    drain: () => engine.drain.wake('person'),
    handle: (event) => handle({ engine, nudges, underway }, event),
  };

  self.addEventListener('fetch', (event) => {
    const response = outbox.handle(event);
    if (response) event.respondWith(response);
  });
  // Not waited for: until a worker is active the pages' requests stand still, and a server that hangs would hold them all up.
  self.addEventListener('activate', () => void engine.drain.wake('start'));
  if (onlyWrites) bypassReads(resolved.routes);
  onMessages(engine, underway);
  onSync(engine);
  return outbox;
}

/** What the queue gets after the page has its answer, while the worker is awake anyway. */
interface Nudges {
  readonly queued: Nudge;
  readonly answered: Nudge;
}

function contextOf(config: Resolved): Context {
  const ports = openPorts(config.name, config.config.encrypt === true);
  let sequence = 0;
  return {
    ...ports,
    config,
    owner: `worker-${ports.system.id()}`,
    origin: self.location.origin,
    ...whoIsSignedIn(config, ports),
    device: () => ports.store.device(),
    sequence: () => (sequence += 1),
    tell: () => undefined,
  };
}

/** How many open pages of this scope are not this worker's. */
async function uncontrolledPages(): Promise<number> {
  const all = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const mine = await self.clients.matchAll({ type: 'window' });
  const { active, scope } = self.registration;
  return active ? all.filter(({ url }) => url.startsWith(scope)).length - mine.length : 0;
}

interface Tools {
  readonly engine: Engine;
  readonly nudges: Nudges;
  readonly underway: Underway;
}

function handle({ engine, nudges, underway }: Tools, event: FetchEvent): Promise<Response> | undefined {
  const { request } = event;
  // A page's outbox sends this itself: the browser makes it as if there were no worker.
  if (request.url.endsWith(passMark)) return undefined;
  const { config, origin, owner } = engine.context;
  const facts = { ...factsOf(partsOfCheap(request)), header: (name: string) => request.headers.get(name) };
  const found = config.route(facts, origin);
  hints?.request(facts, found?.route, config, origin);
  if (!found) return undefined;

  let tellAnswered = (): void => undefined;
  const answered = new Promise<void>((resolve) => (tellAnswered = resolve));
  const call: CallOptions = callOf(request.url);
  const { stop, end } = underway.begin(call.key);
  const caughtBy = { clientId: event.clientId, run: owner, isOpen };
  // At once, so that requests stand in line as they were made, whichever body is read first.
  const result = engine.live({ captured: capture(request), ...found, call, caughtBy, answered, stop }).finally(end);
  const response = result.then(
    (outcome) => {
      if (outcome.kind === 'answered') return outcome.response as Response;
      if (outcome.kind === 'failed') return Response.error();
      const memory = engine.context.store.status().durability === 'memory';
      return queuedReply(outcome.entry, found.route, memory, (message) =>
        log(engine.context, { event: 'hook-failed', route: found.route.name, message }),
      );
    },
    (error: unknown) => {
      log(engine.context, { event: 'error', route: found.route.name, message: String(error) });
      return Response.error();
    },
  );
  void response.then(tellAnswered);
  event.waitUntil(
    result.then(
      (outcome) => {
        if (outcome.kind === 'queued') return nudges.queued();
        return outcome.kind === 'answered' && outcome.othersWait ? nudges.answered() : undefined;
      },
      () => undefined,
    ),
  );
  return response;
}

async function isOpen(clientId: string): Promise<boolean> {
  return (await self.clients.get(clientId)) !== undefined;
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
