import { emptyBook, openGates, type Gates } from '../core/control';
import { gateOf } from '../core/gates';
import { bucketOf, laneKeyOf, originOf } from '../core/index-keys';
import { allowance } from './allowance';
import type { Context } from './context';
import { keeperOf } from './keeper';
import type { Intent } from './record';

/** What a request finds before it when it is about to go live. */
export interface Ahead {
  /** Something stands in front: the lane's backlog, a pause, an origin that asked for quiet, or nothing reaches a server. */
  readonly mustQueue: boolean;
  readonly gates: Gates;
  /** Something is in the outbox that a live success is news to. */
  readonly othersWait: boolean;
}

/** What is assumed when the store cannot be read. */
export const blind: Ahead = { mustQueue: false, gates: openGates, othersWait: true };

/** Of what has to get in line without a look. */
export const stuck: Ahead = { ...blind, mustQueue: true };

/** Whether a request may go live, by one read. */
export async function lookAhead(context: Context, { entry }: Intent): Promise<Ahead> {
  const { config, system, store } = context;
  const now = system.now();
  if (entry.dueAt > now || entry.dependsOn?.length) return stuck;
  return store.transact('read', async (rows) => {
    const [gates = openGates, book = emptyBook, tail] = await Promise.all([
      rows.control('gates'),
      rows.control('book'),
      entry.lane === null ? undefined : rows.laneTail(laneKeyOf(entry.subject, entry.lane)),
    ]);
    const shut = gateOf(bucketOf(entry), gates, keeperOf(context, entry.subject), now);
    const held = shut !== null && shut.kind !== 'sign-in';
    const quiet = allowance(gates, originOf(entry.request.url), now, false, config.concurrency).allowed === 0;
    const othersWait = Object.keys(book.buckets).length > 0;
    return { mustQueue: tail !== undefined || held || quiet, gates, othersWait };
  });
}
