import { loadBody } from '../../browser/bodies';
import { memoryStore } from '../../browser/memory-store';
import { resolveConfig } from '../../core/config';
import type { LogRecord } from '../../core/log';
import type { Context, FlowEvent } from '../../flow/context';
import { createEngine, type Engine } from '../../flow/engine';
import type { Ports } from '../../ports';
import { fakeNetwork, type FakeContext } from '../fake-network';
import { fakeSystem, type FakeSystem } from '../fake-system';
import { appConfig, appOrigin, inlineBytes, type Variant } from './app';
import { createFacts, type Facts } from './facts';
import { createHolders } from './holders';
import { createNetwork, type Network } from './network';
import { keepClock, type PageClock } from './page-clock';
import { checkCommit } from './row-rules';
import { createServer, type Server } from './server';
import { watchedStore, type Watcher } from './watched-store';
import { createStopwatch } from './stopwatch';
import { createWireRules } from './wire-rules';

/** A tab of the model's browser, with the whole flow in it. */
export interface Tab {
  readonly name: string;
  readonly engine: Engine;
  readonly fake: FakeContext;
  readonly clock: PageClock;
  dead: boolean;
  frozen: boolean;
}

/** Breaks a port or what stands around it, on purpose: what the checker must find. */
export interface Plant {
  ports?(ports: Ports, tab: string): Ports;
  context?(context: Context): Context;
}

/** Storage that fails for a while. */
export interface Weather {
  /** How many of the next transactions fail. */
  failing: number;
}

export interface WorldOptions extends Variant {
  readonly seed: number;
  readonly plant?: Plant | undefined;
}

/** One browser with its tabs, a network and two servers, on one clock. */
export interface World {
  readonly facts: Facts;
  readonly system: FakeSystem;
  readonly server: Server;
  readonly network: Network;
  readonly weather: Weather;
  readonly tabs: readonly Tab[];
  readonly logs: readonly LogRecord[];
  readonly events: readonly FlowEvent[];
  /** Tabs that hear and do something. */
  awake(): readonly Tab[];
  openTab(): Tab;
  kill(tab: Tab): void;
  /** Lets a frozen tab go on. */
  thaw(tab: Tab): void;
  /** Somebody takes the drain's lock away. */
  rob(): void;
  /** Turns the wall clock. */
  jump(byMs: number): void;
  /** What was told before does not bind any more: a person forced it. */
  newEra(): void;
  /** Lets promises settle, and some more time pass. */
  pass(ms: number): Promise<void>;
}

/** An ordinary day: the clock must be far from 0, where rules treat a moment as "never". */
const startAt = Date.UTC(2026, 0, 15, 12);

export function createWorld({ seed, plant, limits }: WorldOptions): World {
  const facts = createFacts();
  const system = fakeSystem({ now: startAt, seed });
  const watch = createStopwatch(facts, system);
  let jumpedMs = 0;
  let era = 0;
  const server = createServer(facts, system, () => system.now() - jumpedMs);
  const tabs: Tab[] = [];
  const logs: LogRecord[] = [];
  const events: FlowEvent[] = [];
  const store = memoryStore();
  const weather: Weather = { failing: 0 };
  const browser = fakeNetwork();
  const isAlive = (name: string) => tabs.some((tab) => tab.name === name && !tab.dead);
  const holders = createHolders();

  const rules = createWireRules(facts, {
    now: () => system.now(),
    online: () => network.online(),
    saysOffline: () => system.saysOffline(),
    alive: isAlive,
    holds: holders.holds,
    era: () => era,
  });
  // A frozen tab hears of nothing until it goes on.
  const unheard: { readonly tab: string; readonly hear: () => void }[] = [];
  const isFrozen = (name: string) => tabs.some((tab) => tab.name === name && tab.frozen);
  const network = createNetwork(server, system, {
    left: (tab, request, others) => rules.left(tab, request, others),
    ended(tab, request, arrival) {
      if (isFrozen(tab)) unheard.push({ tab, hear: () => rules.ended(tab, request, arrival) });
      else rules.ended(tab, request, arrival);
    },
  });
  const who = {
    now: () => system.now(),
    alive: isAlive,
    holds: holders.holds,
    countable: (tab: string, key: string) => rules.countable(tab, key),
    metered: () => system.saysMetered(),
  };

  const watcher: Watcher = {
    committed: (commit) => checkCommit(facts, server, who, commit),
    begins() {
      if (!watch.count()) return 'never';
      if (weather.failing === 0) return 'go';
      weather.failing -= 1;
      for (const intent of facts.intents.values()) if (intent.told === 'open') intent.blind = true;
      return 'fail';
    },
  };

  function openTab(): Tab {
    const name = `tab-${tabs.length + 1}`;
    const fake = browser.context({
      system: { ...system, timer: (ms, work) => (watch.count() ? system.timer(ms, work) : () => undefined) },
      transport: network.transport(name),
      store: watchedStore(store, name, watcher),
    });
    const ports = plant?.ports?.(fake, name) ?? fake;
    let sequence = 0;
    const context: Context = {
      ...ports,
      lock: holders.watch(ports.lock, name),
      config: resolveConfig(appConfig({ limits }, startAt, (record) => void logs.push(record))),
      owner: name,
      origin: appOrigin,
      subject: () => Promise.resolve(''),
      recentSubject: () => Promise.resolve(''),
      prepareBody: (body, type) => Promise.resolve(laidOut(body as Uint8Array | null, type)),
      loadBody: (entry) => loadBody(context.store, entry),
      device: () => 'device',
      sequence: () => (sequence += 1),
      tell: (event) => void events.push(event),
    };
    const engine = createEngine(plant?.context?.(context) ?? context);
    const tab: Tab = { name, fake, engine, clock: keepClock(engine.context, engine.drain), dead: false, frozen: false };
    tabs.push(tab);
    return tab;
  }

  return {
    facts,
    system,
    server,
    network,
    weather,
    tabs,
    logs,
    events,
    awake: () => tabs.filter((tab) => !tab.dead && !tab.frozen),
    openTab,
    kill(tab) {
      tab.dead = true;
      tab.fake.kill();
    },
    thaw(tab) {
      if (!tab.frozen || tab.dead) return;
      tab.frozen = false;
      rules.thawed();
      for (const { tab: name, hear } of unheard) if (name === tab.name) hear();
      unheard.splice(0, unheard.length, ...unheard.filter(({ tab: name }) => name !== tab.name));
      tab.fake.thaw();
    },
    rob() {
      browser.steal('drain');
    },
    jump(byMs) {
      jumpedMs += byMs;
      era += 1;
      system.setClock(system.now() + byMs);
    },
    newEra: () => void (era += 1),
    pass: (ms) => system.passMs(ms),
  };
}

function laidOut(body: Uint8Array | null, type: string): Awaited<ReturnType<Context['prepareBody']>> {
  if (body === null) return { info: { size: 0, type, kind: 'none' } };
  const size = body.byteLength;
  if (size <= inlineBytes) return { info: { size, type, kind: 'inline', bytes: body } };
  return { info: { size, type, kind: 'apart' }, apart: body };
}
