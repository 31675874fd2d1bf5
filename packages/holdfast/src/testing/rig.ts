import { bodyKeeper, loadBody } from '../browser/bodies';
import { memoryStore } from '../browser/memory-store';
import { createVault } from '../browser/vault';
import { resolveConfig } from '../core/config';
import type { Entry } from '../core/entry';
import type { LogRecord } from '../core/log';
import type { CallOptions, OutboxConfig } from '../core/options';
import { capture, partsOf } from '../flow/capture';
import type { Context, FlowEvent } from '../flow/context';
import type { DrainOptions } from '../flow/drain';
import { createEngine, type Engine } from '../flow/engine';
import { factsOf } from '../flow/intent';
import type { LiveResult } from '../flow/live';
import { queueNow } from '../flow/queue-now';
import type { Store } from '../ports';
import { fakeNetwork, type FakeContext, type FakeNetwork } from './fake-network';
import { fakeSystem, type FakeSystem } from './fake-system';
import { fakeTransport, type FakeAnswer, type FakeServer, type FakeTransport } from './fake-transport';

/** The app's origin in a rig. */
export const rigOrigin = 'https://app.example';

export interface RigOptions {
  /** @default one route over everything, unordered */
  readonly config?: OutboxConfig;
  readonly server?: FakeServer | readonly FakeAnswer[];
  readonly subject?: () => string | null;
  /** @default a memory store */
  readonly store?: Store;
  readonly seed?: number;
  readonly drain?: DrainOptions;
}

/** One context of a fake browser with the whole flow in it. */
export interface RigTab {
  readonly engine: Engine;
  readonly context: Context;
  readonly fake: FakeContext;
  readonly events: FlowEvent[];
  /** Makes a request the way an app does. */
  fetch(url: string, init?: RequestInit, call?: CallOptions): Promise<LiveResult>;
  /** Queues without a live attempt. */
  add(url: string, init?: RequestInit, call?: CallOptions): Promise<Entry>;
}

/** A browser with as many tabs as wanted over one store, one network and one clock. */
export interface Rig extends RigTab {
  readonly store: Store;
  readonly system: FakeSystem;
  readonly transport: FakeTransport;
  readonly network: FakeNetwork;
  readonly logs: LogRecord[];
  /** Another context over the same store. */
  tab(config?: OutboxConfig): RigTab;
  /** Every row, in store order. */
  all(): Promise<Entry[]>;
}

const keeper = bodyKeeper({ keepsBlobs: () => Promise.resolve(true) });

/** Hashing takes real time, and a rig's time is not real: a body checked while it passes would come late. */
const withoutDigest: Context['prepareBody'] = async (body, type) => {
  const { info, apart } = await keeper(body, type);
  const { digest: _, ...others } = info;
  return { info: others, apart };
};

const everything: OutboxConfig = { routes: [{ name: 'api', match: '/*', lane: null }] };

export function rig(options: RigOptions = {}): Rig {
  const { config = everything, server = [{ status: 201 }], seed = 1, store = memoryStore() } = options;
  const system = fakeSystem({ now: 1_000_000, seed });
  const transport = fakeTransport(server, system);
  const network = fakeNetwork();
  const logs: LogRecord[] = [];
  let names = 0;

  function tab(own: OutboxConfig = config): RigTab {
    const fake = network.context({ store, transport, system });
    const events: FlowEvent[] = [];
    const name = (names += 1);
    let sequence = 0;
    const subject = (): Promise<string | null> => Promise.resolve(options.subject ? options.subject() : '');
    const context: Context = {
      ...fake,
      config: resolveConfig({ log: (record) => void logs.push(record), logLevel: 'debug', ...own }),
      owner: `tab-${name}`,
      origin: rigOrigin,
      subject,
      recentSubject: subject,
      prepareBody: withoutDigest,
      ...(own.encrypt && { vault: createVault(fake.store) }),
      loadBody: (entry) => loadBody(fake.store, entry),
      device: () => 'device',
      sequence: () => (sequence += 1),
      tell: (event) => void events.push(event),
    };
    const engine = createEngine(context, options.drain);
    const prepare = (url: string, init: RequestInit) => {
      const request = new Request(new URL(url, rigOrigin), { method: 'POST', ...init });
      const found = context.config.route(factsOf(partsOf(request)), rigOrigin);
      if (!found) throw new Error(`the rig has no route for ${request.method} ${request.url}`);
      return { request, found };
    };
    return {
      engine,
      context,
      fake,
      events,
      async fetch(url, init = {}, call = {}) {
        const { request, found } = prepare(url, init);
        return engine.live({ captured: capture(request), ...found, call });
      },
      async add(url, init = {}, call = {}) {
        const { request, found } = prepare(url, init);
        return queueNow(engine, capture(request), found, call);
      },
    };
  }

  return {
    ...tab(),
    store,
    system,
    transport,
    network,
    logs,
    tab,
    all: () =>
      store.transact('read', async (rows) => {
        const next = (await rows.control('book'))?.nextSeq ?? 1;
        const found = await Promise.all(Array.from({ length: next }, (_, seq) => rows.bySeq(seq)));
        return found.filter((entry) => entry !== undefined);
      }),
  };
}
