import type { Entry } from '../core/entry';
import { capture } from '../flow/capture';
import type { Context } from '../flow/context';
import { createEngine, type Engine } from '../flow/engine';
import { rig, type Rig, type RigOptions } from '../testing/rig';
import type { FakeContext } from '../testing/fake-network';
import { add, type Line } from './line';
import { queueConfig } from './queue-config';
import { takeBack } from './put-back';
import type { QueueEntry } from './hand-out';
import type { Run } from './run';

/** One queue "api" as a worker sees it; a second worker over the same store comes after the first has died. */
export interface QueueWorker {
  readonly line: Line;
  readonly context: Context;
  readonly engine: Engine;
  readonly fake: FakeContext;
  push(path: string, init?: RequestInit, metadata?: object): Promise<Entry>;
  unshift(path: string, init?: RequestInit): Promise<Entry>;
  /** What `unshiftRequest` and `pushRequest` do with a request that is out. */
  putBack(entry: QueueEntry, place?: 'end' | 'front', run?: Run): Promise<Entry | undefined>;
}

export interface QueueWorld extends Rig, Pick<QueueWorker, 'line' | 'engine'> {
  worker(): QueueWorker;
  /** Paths of what waits, in the order of the queue. */
  paths(): Promise<string[]>;
}

export function queueWorld(options: RigOptions & { readonly exact?: boolean } = {}): QueueWorld {
  const world = rig(options);
  const config = queueConfig({ log: (record) => void world.logs.push(record) }, () => options.exact === true);

  function worker(): QueueWorker {
    const { fake, context: plain } = world.tab();
    const context: Context = { ...plain, config };
    const engine = createEngine(context);
    const line: Line = { context, recorder: engine.recorder, queue: 'api', retentionMs: 60 * 60_000 };
    const store = async (place: 'end' | 'front', path: string, init: RequestInit, metadata?: object) => {
      const request = new Request(`https://app.example${path}`, { method: 'POST', body: path, ...init });
      const captured = await capture(request);
      const timestamp = context.system.now();
      return add(line, { captured, timestamp, metadata, keepalive: false, attempted: false, syncComes: false }, place);
    };
    return {
      line,
      context,
      engine,
      fake,
      push: (path, init = {}, metadata) => store('end', path, init, metadata),
      unshift: (path, init = {}) => store('front', path, init),
      putBack: (entry, place = 'front', run) => takeBack(line, entry, () => capture(entry.request), place, run),
    };
  }

  const first = worker();
  return {
    ...world,
    line: first.line,
    engine: first.engine,
    worker,
    async paths() {
      const waiting = await world.store.transact('read', (rows) =>
        rows.list({ subject: '', state: 'pending', limit: 1_000 }),
      );
      return waiting.map((entry) => new URL(entry.request.url).pathname);
    },
  };
}
