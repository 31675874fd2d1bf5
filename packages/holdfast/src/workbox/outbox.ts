import { openPorts } from '../browser/open-ports';
import type { Resolved } from '../core/config';
import { OutboxError } from '../core/errors';
import { readMessage } from '../core/messages';
import type { Context } from '../flow/context';
import { log } from '../flow/context';
import type { WakeReason } from '../flow/wake-reason';
import { createEngine, type Engine } from '../flow/engine';
import type { Line } from './line';
import { openOldDatabase } from './move/old-database';
import { moveQueues } from './move/move-queues';
import { defaultRetentionMinutes, laneOfQueue } from './policy';
import { queueConfig, type QueueOutboxConfig } from './queue-config';
import { reserve } from './reserve';
import { whenActive, type Activity } from './when-active';

declare const self: ServiceWorkerGlobalScope;

/** What a queue tells the outbox about itself. */
export interface Member {
  readonly name: string;
  readonly retentionMs: number;
  /** Any answer of the server counts as delivered, as in Workbox. */
  readonly exact: boolean;
  /** The app sends its entries itself, in its `onSync`. */
  readonly ownSync: boolean;
  /** Looks at the queue because the world or a person says that it may be worth it. Never rejects. */
  wake(why: WakeReason): Promise<void>;
  /** Asks the browser for a sync event. Never rejects. */
  register(): Promise<void>;
}

/** The outbox behind all queues of this worker. */
export interface QueueOutbox {
  readonly context: Context;
  readonly engine: Engine;
  readonly activity: Activity;
  join(member: Member): void;
  /** The lane of a queue, whether or not this worker has made it. */
  line(queue: string): Line;
  /**
   * Resolves when what an earlier library left for these queues has been moved, or cannot be now: an old database that does
   * not open must not keep a new request from being stored. Never rejects.
   */
  ready(): Promise<void>;
}

/** How long a request waits for the move of what is older, ms; longer is a database that hangs. */
const moveDeadlineMs = 5_000;

/** When a move that failed is tried again, ms; a new start of the worker tries it at once. */
const moveAgainMs = 60_000;

let settings: QueueOutboxConfig = {};
let opened: QueueOutbox | undefined;

/**
 * Options for all queues together; call it before the first `Queue` or `BackgroundSyncPlugin` is made.
 * @throws OutboxError `bad-option`
 */
export function configureQueues(config: QueueOutboxConfig): void {
  if (opened) throw new OutboxError('bad-option', 'configureQueues must be called before the first queue is made');
  queueConfig(config, () => false);
  settings = config;
}

/** Opened by the first queue; nothing global is touched before. */
export function queueOutbox(): QueueOutbox {
  return (opened ??= open());
}

function open(): QueueOutbox {
  const members = new Map<string, Member>();
  const isExact = (lane: string): boolean =>
    [...members.values()].some((member) => member.exact && laneOfQueue(member.name) === lane);
  const config = queueConfig(settings, isExact);
  const context = contextOf(config);
  const engine = createEngine(context);
  const activity = whenActive(self);
  const prepared = new Set<string>();
  let preparing = Promise.resolve();
  let notBefore = 0;

  async function prepare(): Promise<void> {
    const fresh = [...members.values()].filter(({ name }) => !prepared.has(name));
    if (fresh.length === 0 || context.system.now() < notBefore) return;
    try {
      await reserve(context, fresh);
      const moved = await moveQueues(context, fresh, openOldDatabase);
      for (const { name } of fresh) prepared.add(name);
      for (const member of fresh) if (moved.includes(member.name)) await member.register();
      if (moved.length > 0) void engine.drain.wake('start');
    } catch (error) {
      // The queues work without; what could not be read now is still there for the next look.
      notBefore = context.system.now() + moveAgainMs;
      log(context, { event: 'error', message: `what an earlier library left could not be moved: ${String(error)}` });
    }
  }

  const outbox: QueueOutbox = {
    context,
    engine,
    activity,
    join: (member) => void members.set(member.name, member),
    line: (queue) => ({
      context,
      recorder: engine.recorder,
      queue,
      retentionMs: members.get(queue)?.retentionMs ?? retentionOf(undefined),
    }),
    ready: () => inTime(context, (preparing = preparing.then(prepare))),
  };

  async function wake(why: WakeReason): Promise<void> {
    await outbox.ready();
    await Promise.all([engine.drain.wake(why), ...[...members.values()].map((member) => member.wake(why))]);
  }

  self.addEventListener('activate', (event) => {
    // Pages wait for this event's end, so only the move is part of it.
    event.waitUntil(outbox.ready());
    void outbox.ready().then(() => wake('start'));
  });
  self.addEventListener('message', (event) => {
    const message = readMessage(event.data, config.name);
    if (message?.type !== 'wake') return;
    event.ports[0]?.postMessage({ v: 1, type: 'awake' });
    event.waitUntil(wake(message.why === 'timer' ? 'timer' : 'person'));
  });
  if (activity.isActive()) void Promise.resolve().then(() => wake('start'));
  return outbox;
}

function inTime({ system }: Context, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = system.timer(moveDeadlineMs, resolve);
    void work.then(() => {
      cancel();
      resolve();
    });
  });
}

/** Milliseconds from Workbox's minutes; 0 and nothing mean the default there too. */
export function retentionOf(minutes: number | undefined): number {
  return (minutes || defaultRetentionMinutes) * 60_000;
}

function contextOf(config: Resolved): Context {
  const ports = openPorts(config.name);
  let sequence = 0;
  return {
    ...ports,
    config,
    owner: `workbox-${ports.system.id()}`,
    origin: self.location.origin,
    subject: async () => '',
    recentSubject: async () => '',
    device: () => ports.store.device(),
    sequence: () => (sequence += 1),
    tell: () => undefined,
  };
}
