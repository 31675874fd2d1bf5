import { copyPlain } from '../browser/plain-copy';
import type { Channel, Lock, Ports, Rows, Store, System, Transport } from '../ports';

/** One tab or worker of the fake browser. */
export interface FakeContext extends Ports {
  /**
   * The browser kills it: its locks go to whoever waits, its open transaction is taken back, its timers die, nothing it
   * waits for ever comes, and nothing it still does has an effect. What it has sent, it has sent.
   */
  kill(): void;
  /** It is suspended (a frozen tab): it keeps its locks but hears and runs nothing until `thaw`. */
  freeze(): void;
  thaw(): void;
}

/** A browser with several contexts of one origin: they share a bus for messages and a table of locks. */
export interface FakeNetwork {
  context(own: { readonly store: Store; readonly transport: Transport; readonly system: System }): FakeContext;
  /** Takes a lock from its holder, whose work goes on and is told `lost`. Returns whether anybody had it. */
  steal(name: string): boolean;
  /** Who holds or waits, for tests that must leave nothing behind. */
  locks(): readonly { readonly name: string; readonly waiting: number }[];
}

interface Grip {
  readonly lost: { lost: boolean };
  /** Gives the lock to the next in line. */
  letGo(): void;
}

interface Member {
  hear(message: unknown): void;
}

export function fakeNetwork(): FakeNetwork {
  const members = new Set<Member>();
  const holders = new Map<string, Grip>();
  const lines = new Map<string, ((grip: Grip) => void)[]>();
  const atWork = new Map<string, Set<Grip>>();

  function take(name: string): Grip {
    const grip: Grip = {
      lost: { lost: false },
      letGo() {
        if (holders.get(name) !== grip) return;
        holders.delete(name);
        const next = lines.get(name)?.shift();
        if (next) next(take(name));
      },
    };
    holders.set(name, grip);
    return grip;
  }

  /** The robbed holder's work goes on; only its word on being the holder is gone. */
  function rob(name: string): boolean {
    const grip = holders.get(name);
    if (!grip) return false;
    grip.lost.lost = true;
    holders.delete(name);
    return true;
  }

  return {
    context: (own) => context(own, { members, holders, lines, atWork, take, steal: rob }),
    steal(name) {
      const robbed = rob(name);
      if (robbed) lines.get(name)?.shift()?.(take(name));
      return robbed;
    },
    locks: () => [...holders.keys()].map((name) => ({ name, waiting: lines.get(name)?.length ?? 0 })),
  };
}

interface Hub {
  readonly members: Set<Member>;
  readonly holders: Map<string, Grip>;
  readonly lines: Map<string, ((grip: Grip) => void)[]>;
  /** Whose work under a lock goes on, also of those who were robbed of it. */
  readonly atWork: Map<string, Set<Grip>>;
  take(name: string): Grip;
  steal(name: string): boolean;
}

function context(own: Pick<Ports, 'store' | 'transport' | 'system'>, hub: Hub): FakeContext {
  const life = { dead: false, frozen: false, missed: [] as (() => void)[] };
  const grips = new Set<Grip>();
  /** Runs now, at the thaw, or never. */
  const whenAwake = (work: () => void) => {
    if (life.dead) return;
    if (life.frozen) life.missed.push(work);
    else work();
  };
  /** The same promise while this context lives; one that never settles once it is dead. */
  const forTheLiving = <T>(promise: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      promise.then(
        (value) => whenAwake(() => resolve(value)),
        (error: unknown) => whenAwake(() => reject(error)),
      );
    });
  const never = () => new Promise<never>(() => undefined);

  const store: Store = {
    transact: (durability, work) =>
      life.dead ? never() : forTheLiving(own.store.transact(durability, mortal(work, life))),
    status: () => own.store.status(),
    close: () => own.store.close(),
  };
  const transport: Transport = {
    check: (request, hasBody) => own.transport.check(request, hasBody),
    send: (request, timeoutMs, stop, late) =>
      life.dead
        ? never()
        : forTheLiving(
            own.transport.send(request, timeoutMs, stop, late && ((answer) => whenAwake(() => late(answer)))),
          ),
  };
  const system: System = {
    now: () => own.system.now(),
    random: () => own.system.random(),
    id: () => own.system.id(),
    uuid: () => own.system.uuid(),
    saysOffline: () => own.system.saysOffline(),
    saysMetered: () => own.system.saysMetered(),
    timer: (delayMs, work) => (life.dead ? () => undefined : own.system.timer(delayMs, () => whenAwake(work))),
  };

  const listeners = new Set<(message: unknown) => void>();
  const member: Member = { hear: (message) => whenAwake(() => listeners.forEach((listener) => listener(message))) };
  hub.members.add(member);
  const channel: Channel = {
    hears: true,
    post(message) {
      if (life.dead || !hub.members.has(member)) return;
      for (const other of hub.members) {
        const copy = copyPlain(message, 'message');
        if (other !== member) queueMicrotask(() => hub.members.has(other) && other.hear(copy));
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => void hub.members.delete(member),
  };

  const lock: Lock = {
    async hold(name, { wait, steal }, work) {
      if (life.dead) return never();
      if (steal) hub.steal(name);
      if (hub.holders.has(name) && !wait) return { held: false };
      const grip = hub.holders.has(name) ? await inLine(hub, name, life) : hub.take(name);
      grips.add(grip);
      const others = hub.atWork.get(name) ?? new Set();
      const alone = others.size === 0;
      hub.atWork.set(name, others.add(grip));
      const held = {
        alone,
        get lost() {
          return grip.lost.lost;
        },
      };
      try {
        return { held: true, value: await work(held) };
      } finally {
        grips.delete(grip);
        others.delete(grip);
        grip.letGo();
      }
    },
  };

  return {
    store,
    transport,
    system,
    channel,
    lock,
    kill() {
      life.dead = true;
      hub.members.delete(member);
      for (const grip of grips) {
        for (const others of hub.atWork.values()) others.delete(grip);
        grip.letGo();
      }
    },
    freeze: () => void (life.frozen = true),
    thaw() {
      life.frozen = false;
      for (const work of life.missed.splice(0)) whenAwake(work);
    },
  };
}

/** Waits for the turn; a context that died meanwhile passes it on. */
function inLine(hub: Hub, name: string, life: { readonly dead: boolean }): Promise<Grip> {
  return new Promise((resolve) => {
    const turn = (grip: Grip) => (life.dead ? grip.letGo() : resolve(grip));
    hub.lines.set(name, [...(hub.lines.get(name) ?? []), turn]);
  });
}

/** A work whose every step fails once its context is dead, so that its transaction is taken back. */
function mortal<T>(work: (rows: Rows) => Promise<T>, life: { readonly dead: boolean }): (rows: Rows) => Promise<T> {
  return async (rows) => {
    const guarded = new Proxy(rows, {
      get: (target, name, receiver) => {
        if (life.dead) throw new Error('this context was killed');
        return Reflect.get(target, name, receiver) as unknown;
      },
    });
    const result = await work(guarded);
    if (life.dead) throw new Error('this context was killed before the commit');
    return result;
  };
}
