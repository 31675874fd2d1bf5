import { WorkboxError } from 'workbox-core/_private/WorkboxError.js';
import { backoffMs } from '../core/backoff';
import { log } from '../flow/context';
import { capture, type Captured } from '../flow/capture';
import type { WakeReason } from '../flow/wake-reason';
import { wasAttempted } from './attempted';
import { handOut, type QueueEntry } from './hand-out';
import { add, inLine, isExpired, size, type Line } from './line';
import { mustBe, mustBeRequest } from './must-be';
import { queueOutbox, retentionOf, type QueueOutbox } from './outbox';
import { laneOfQueue } from './policy';
import { takeBack } from './put-back';
import { QueueStore } from './queue-store';
import { replay } from './replay';
import { startRun, type Run } from './run';
import { askForSync, offersSync, onSyncOf } from './sync-events';
import { take } from './take';

export interface OnSyncCallback {
  (options: { queue: Queue }): void | Promise<void>;
}

export interface QueueOptions {
  /** Replays whenever the worker starts, also where the browser has Background Sync. @default false */
  forceSyncFallback?: boolean;
  /** How long a request is worth anything, in minutes; then it goes to the dead letters. @default 10_080 (7 days) */
  maxRetentionTime?: number;
  /** Sends what is in the queue. @default `replayRequests` */
  onSync?: OnSyncCallback;
  /** `exact`: any answer counts as delivered, 500 too, as in Workbox. @default 'better' */
  compat?: 'better' | 'exact';
}

const queueNames = new Set<string>();
const queues = new Map<string, Queue>();

/** A queue of requests: Workbox's class, method by method, over one lane of the outbox. */
export class Queue {
  private readonly _name: string;
  private readonly _onSync: OnSyncCallback;
  /** Minutes. */
  private readonly _maxRetentionTime: number;
  private readonly _forceSyncFallback: boolean;
  private readonly _queueStore: QueueStore;
  private _syncInProgress = false;
  private _requestsAddedDuringSync = false;
  private readonly _outbox: QueueOutbox;
  private readonly _ownSync: boolean;
  private _run: Run | undefined;
  private _syncing: Promise<void> | undefined;
  private _replaying: Promise<'empty' | 'waiting'> | undefined;
  private _syncRefused = false;
  private _failures = 0;
  private _cancelTimer: (() => void) | undefined;

  /** @throws WorkboxError `duplicate-queue-name` */
  constructor(name: string, { forceSyncFallback, onSync, maxRetentionTime, compat = 'better' }: QueueOptions = {}) {
    if (queueNames.has(name)) throw new WorkboxError('duplicate-queue-name', { name });
    queueNames.add(name);
    queues.set(name, this);
    this._name = name;
    this._ownSync = onSync !== undefined;
    this._onSync = onSync ?? (() => this.replayRequests());
    this._maxRetentionTime = retentionOf(maxRetentionTime) / 60_000;
    this._forceSyncFallback = Boolean(forceSyncFallback);
    this._queueStore = new QueueStore(name);
    this._outbox = queueOutbox();
    this._outbox.join({
      name,
      retentionMs: retentionOf(maxRetentionTime),
      exact: compat === 'exact',
      ownSync: this._ownSync,
      wake: (why) => this._wake(why),
      register: () => this.registerSync(),
    });
    this._addSyncListener();
  }

  /** The queue of this name in this worker, made when there is none yet: for routes that share one. */
  static get(name: string, options?: QueueOptions): Queue {
    return (queueNames.has(name) ? queues.get(name) : undefined) ?? new Queue(name, options);
  }

  /** For tests, as in Workbox: clearing it allows the same names again. */
  static get _queueNames(): Set<string> {
    return queueNames;
  }

  get name(): string {
    return this._name;
  }

  /**
   * Stores a request at the end of the queue; resolves when it is on the disk and a sync was asked for.
   * @throws WorkboxError `incorrect-type`, `incorrect-class`; OutboxError `full`, `not-storable`, `quota-exceeded`, `storage-unavailable`
   */
  async pushRequest(entry: QueueEntry): Promise<void> {
    check(entry, 'pushRequest');
    await this._addRequest(entry, 'push');
  }

  /** Stores a request at the front of the queue, or puts back one that was taken out. @throws as `pushRequest` */
  async unshiftRequest(entry: QueueEntry): Promise<void> {
    check(entry, 'unshiftRequest');
    await this._addRequest(entry, 'unshift');
  }

  /** Takes out the last one. Within `onSync` it is lent: should this worker die, it is in the queue again. */
  async popRequest(): Promise<QueueEntry | undefined> {
    return this._removeRequest('pop');
  }

  /** Takes out the first one. Within `onSync` it is lent: should this worker die, it is in the queue again. */
  async shiftRequest(): Promise<QueueEntry | undefined> {
    return this._removeRequest('shift');
  }

  /** Everything that waits and has not expired, in order. Reading changes nothing. */
  async getAll(): Promise<QueueEntry[]> {
    const line = await this._line();
    const { store, system } = line.context;
    const waiting = await store.transact('read', async (rows) => {
      const found = [];
      for await (const entry of inLine(rows, this._name)) if (entry.state === 'pending') found.push(entry);
      return found;
    });
    const fresh = waiting.filter((entry) => !isExpired(entry, system.now()));
    const handed = await Promise.all(
      // What cannot be read is shown by the panel, and goes to the dead letters at its turn.
      fresh.map((entry) => handOut(line, entry).catch(() => undefined)),
    );
    return handed.flatMap((one) => (one ? [one.given] : []));
  }

  /** How many wait, expired ones included. */
  async size(): Promise<number> {
    const line = await this._line();
    return line.context.store.transact('read', (rows) => size(rows, this._name));
  }

  /**
   * Sends everything in order, each with its key and kept until it is answered. Calls that overlap are one.
   * @throws WorkboxError `queue-replay-failed` when one could not be delivered now; it stays first in the queue
   */
  async replayRequests(): Promise<void> {
    this._replaying ??= this._line(true)
      .then(replay)
      .finally(() => (this._replaying = undefined));
    if ((await this._replaying) === 'empty') return;
    // The browser may take its time, or have given up: the outbox looks again by itself.
    void this._outbox.engine.drain.wake('timer');
    throw new WorkboxError('queue-replay-failed', { name: this._name });
  }

  /** Asks the browser for a sync event. Where it refuses, this worker and the pages look after the queue. Never rejects. */
  async registerSync(): Promise<void> {
    if (!offersSync(this._forceSyncFallback)) return;
    this._syncRefused = !(await askForSync(this._name));
    if (!this._syncRefused) return;
    const message = `the browser took no sync registration for queue "${this._name}"; it is looked at without`;
    log(this._outbox.context, { event: 'error', level: 'debug', message });
  }

  private async _addRequest(entry: QueueEntry, operation: 'push' | 'unshift'): Promise<void> {
    // In this tick, so that the caller may use the request up as soon as the call is made.
    const attempted = wasAttempted(entry.request);
    const copy = entry.request.bodyUsed ? undefined : entry.request.clone();
    const line = await this._line();
    const { context, engine } = this._outbox;
    const place = operation === 'push' ? 'end' : 'front';
    let captured: Promise<Captured> | undefined;
    const content = () => (captured ??= capture(copy ?? entry.request));
    if (!(await takeBack(line, entry, content, place, this._run))) {
      const { metadata, timestamp = context.system.now() } = entry;
      const { keepalive } = entry.request;
      const item = { captured: await content(), metadata, timestamp, keepalive, attempted };
      await add(line, { ...item, syncComes: this._syncWorks() }, place);
    }
    if (this._syncInProgress) this._requestsAddedDuringSync = true;
    else await this.registerSync();
    if (!this._outbox.activity.isActive()) return;
    if (!this._ownSync) void engine.drain.wake('enqueue');
    else if (!this._run && !this._syncWorks()) this._lookLater();
  }

  private async _removeRequest(operation: 'pop' | 'shift'): Promise<QueueEntry | undefined> {
    const run = this._run;
    const line = await this._line(true);
    await run?.begun;
    return take(line, operation === 'pop' ? 'end' : 'front', run);
  }

  /** @param mustBeActive what takes from the queue waits until this worker is the one at work */
  private async _line(mustBeActive = false): Promise<Line> {
    const { activity } = this._outbox;
    if (mustBeActive) await activity.active;
    if (activity.isActive()) await this._outbox.ready();
    return this._outbox.line(this._name);
  }

  private _syncWorks(): boolean {
    return offersSync(this._forceSyncFallback) && !this._syncRefused;
  }

  private _addSyncListener(): void {
    if (offersSync(this._forceSyncFallback)) onSyncOf(this._name, (lastChance) => this._sync(lastChance));
    else this._callOnSync().catch((error: unknown) => this._lookLater(error));
  }

  private async _sync(lastChance: boolean): Promise<void> {
    this._syncInProgress = true;
    let failed = false;
    try {
      await this._callOnSync();
    } catch (error) {
      failed = true;
      throw error;
    } finally {
      // After an error the browser calls again by itself, unless this was the last time.
      if (failed ? lastChance : this._requestsAddedDuringSync) await this.registerSync();
      this._syncInProgress = false;
      this._requestsAddedDuringSync = false;
    }
  }

  /** Calls that overlap are one. */
  private _callOnSync(): Promise<void> {
    this._syncing ??= this._runOnSync().finally(() => (this._syncing = undefined));
    return this._syncing;
  }

  private async _runOnSync(): Promise<void> {
    if (!this._ownSync) return this._onSync({ queue: this });
    try {
      await startRun(this._outbox.line(this._name), async (run) => {
        this._run = run;
        await this._onSync({ queue: this });
      });
      this._failures = 0;
    } finally {
      this._run = undefined;
    }
  }

  /** The app's own sender, where no sync event will come: at every hint, and after a while. */
  private async _wake(why: WakeReason): Promise<void> {
    // A sync event is on its way by itself, and asking for another while one fires would make it fire for ever.
    if (!this._ownSync || ((why === 'timer' || why === 'start') && this._syncWorks())) return;
    try {
      if ((await this.size()) > 0) await this._callOnSync();
    } catch (error) {
      this._lookLater(error);
    }
  }

  private _lookLater(error?: unknown): void {
    if (error instanceof Error) log(this._outbox.context, { event: 'error', level: 'debug', message: error.message });
    if (!this._ownSync || this._syncWorks()) return;
    const { system, config } = this._outbox.context;
    this._failures += 1;
    const { backoff } = config.routeNamed(laneOfQueue(this._name)).retry;
    this._cancelTimer?.();
    this._cancelTimer = system.timer(
      backoffMs(this._failures, system.random(), backoff),
      () => void this._wake('timer'),
    );
  }
}

function check(entry: QueueEntry, funcName: string): void {
  mustBe('object', entry, { className: 'Queue', funcName, paramName: 'entry' });
  mustBeRequest(entry.request, { className: 'Queue', funcName, paramName: 'entry.request' });
}
