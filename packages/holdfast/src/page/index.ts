import { hints } from '../browser/hints';
import { openPorts, type BrowserPorts } from '../browser/open-ports';
import { askToPersist, isPersisted } from '../browser/persist';
import { resolveConfig, type Resolved } from '../core/config';
import { OutboxError } from '../core/errors';
import type { OutboxConfig } from '../core/options';
import type { OutboxStatus } from '../core/snapshot';
import { viewOf } from '../core/snapshot';
import { marked } from '../core/wire';
import { bringForward } from '../flow/acts/flush';
import { cancel } from '../flow/acts/cancel';
import { edit } from '../flow/acts/edit';
import { pause, resume } from '../flow/acts/pause';
import { reconcile } from '../flow/acts/reconcile';
import { reprioritize } from '../flow/acts/reprioritize';
import { exportEntries, importEntries } from '../flow/acts/transfer';
import { capture, partsOf } from '../flow/capture';
import type { Context } from '../flow/context';
import { createEngine } from '../flow/engine';
import { factsOf } from '../flow/intent';
import { createNudge } from '../flow/nudge';
import { queueNow } from '../flow/queue-now';
import { whoIsSignedIn } from '../flow/subject';
import type { Json } from '../core/entry';
import type { Outbox } from './client';
import { deadLetters, editOf } from './dead-letters';
import { createEvents } from './events';
import { createFeed, type Feed } from './feed';
import { isHidden } from './hidden';
import { identityActs } from './identity';
import { createReader } from './read';
import { settled, whenIdle } from './settled';
import { statusOf } from './status';
import { keepAwake } from './wake-ups';
import { whoSends, type WhoSends } from './who-sends';
import { withBytes } from './with-bytes';
import { wrappedFetch } from './wrapped-fetch';

export type * from './client';
export { uninstallOutbox, type UninstallOptions } from './uninstall';

/**
 * Opens an outbox in this page. Returns at once; storage is opened at the first use. With the same config in a worker
 * (`installOutbox`) that one sends, otherwise this page does.
 * @throws OutboxError `bad-option`
 */
export function openOutbox(config: OutboxConfig): Outbox {
  const resolved = resolveConfig(config);
  // The platform's own, as it is now: an app may put `outbox.fetch` in its place afterwards.
  const plainFetch = window.fetch.bind(window);
  const ports = openPorts(resolved.name, config.encrypt === true, plainFetch);
  // `feed` and `sends` need the context, and the context reports to them.
  const later: Later = {};
  const context = contextOf(resolved, ports, later);
  const engine = createEngine(context);
  hints?.page(resolved, ports.system);
  const sends = whoSends(context, engine.drain, () => void later.feed?.refresh());
  later.sends = sends;
  let persisted: OutboxStatus['persisted'] = 'unknown';
  const status = (): OutboxStatus => statusOf(context, sends, persisted);
  const look = createFeed(context, status, { hidden: isHidden });
  later.feed = look;
  const events = createEvents(context, look);
  const reader = createReader(context);
  const stopWaking = keepAwake(context, look, sends, ports.channel);
  const nudge = createNudge(ports.system, () => sends.wake('enqueue'));
  const enqueued = (): void => void nudge().catch(() => undefined);
  const wake = (): void => void sends.wake('person').catch(() => undefined);

  let asked = false;
  async function askOnce(): Promise<void> {
    if (asked) return;
    asked = true;
    persisted = said(await askToPersist(ports.system));
    void look.refresh();
  }
  let waiting = Infinity;
  look.subscribe(({ ready, counts }) => {
    if (!ready) return;
    const before = waiting;
    waiting = counts.pending + counts.sending;
    // Remembered outside of the store: should the browser empty it, the next start can say how many were lost.
    ports.store.noteWaiting(waiting);
    // Whoever stored it, the counts show it; reading every change for its sake would cost more.
    if (waiting > before) void askOnce();
  });
  void isPersisted(ports.system).then((answer) => (persisted = said(answer)));
  void sends
    .wake('start')
    .then(() => look.refresh())
    .catch(() => undefined);

  const outbox: Outbox = {
    name: resolved.name,
    fetch: (input, init) => wrappedFetch({ engine, sends, enqueued, plainFetch }, input, init),
    async add(input, init = {}) {
      const { outbox: call = {}, ...rest } = init;
      const request = await withBytes(context, input, rest);
      const found = resolved.route(factsOf(partsOf(request)), context.origin);
      if (!found) {
        throw new OutboxError(
          'no-route',
          `no route takes ${request.method} ${request.url}; add one to the config, or its method to "methods"`,
        );
      }
      const entry = await queueNow(engine, capture(request), found, call);
      enqueued();
      return viewOf(entry, null);
    },
    get: (id) => reader.find(id),
    list: (options) => reader.list(options),
    explain: (id) => reader.explain(id),
    content: (id, options) => reader.content(id, options?.secrets),
    subscribe: (listener) => look.subscribe(listener),
    getSnapshot: () => look.getSnapshot(),
    on: (listener) => events.on(listener),
    settled: (id) => settled(context, look, id),
    whenIdle: (lane) => whenIdle(context, look, lane),
    pendingFor: (pattern) => reader.pendingFor(pattern),
    async flush(options) {
      await bringForward(context, options ?? {});
      await sends.wake('person');
    },
    async pause(options) {
      await pause(context, options);
    },
    async resume(options) {
      await resume(context, options);
      wake();
    },
    cancel: async (id, options) => viewOf(await cancel(context, id, options), null),
    edit: async (id, change, options) => viewOf(await edit(context, id, editOf(change), options?.revision), null),
    async reprioritize(filter, priority) {
      const changed = await reprioritize(context, filter, priority);
      wake();
      return changed;
    },
    dead: deadLetters(context, reader, wake),
    stats: () => reader.stats(),
    status,
    reconcile: (keys) => reconcile(context, keys),
    export: async (filter, options) => (await exportEntries(context, filter, options?.secrets)) as unknown as Json,
    async import(file) {
      const taken = await importEntries(context, file);
      wake();
      return taken;
    },
    ...identityActs({
      context,
      reader,
      wake,
      refresh: () => look.refresh(),
      whenIdle: () => whenIdle(context, look),
    }),
    close() {
      stopWaking();
      look.close();
      ports.channel.close();
      void engine.drain.stop().finally(() => ports.store.close());
    },
  };
  return outbox;
}

interface Later {
  feed?: Feed;
  sends?: WhoSends;
}

function contextOf(config: Resolved, ports: BrowserPorts, later: Later): Context {
  let sequence = 0;
  const { forget, ...who } = whoIsSignedIn(config, ports);
  return {
    ...ports,
    // A channel does not hear itself: what this page changes is told to its own ears too.
    channel: {
      ...ports.channel,
      post(message) {
        ports.channel.post(message);
        forget();
        const { revision, ids } = message as { revision?: number; ids?: readonly string[] };
        if (revision !== undefined && ids) later.feed?.changed(revision, ids);
      },
    },
    // A worker that controls this page sees our own requests too, and must let them through.
    transport: {
      ...ports.transport,
      send: (request, timeoutMs, stop, late) => {
        const url = later.sends?.controlled() === true ? marked(request.url) : request.url;
        return ports.transport.send({ ...request, url }, timeoutMs, stop, late);
      },
    },
    config,
    owner: `page-${ports.system.id()}`,
    origin: location.origin,
    ...who,
    device: () => ports.store.device(),
    sequence: () => (sequence += 1),
    tell: () => undefined,
  };
}

function said(answer: Awaited<ReturnType<typeof isPersisted>>): OutboxStatus['persisted'] {
  return answer === 'persisted' ? 'yes' : answer === 'best-effort' ? 'no' : 'unknown';
}
