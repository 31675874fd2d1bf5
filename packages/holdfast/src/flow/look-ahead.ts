import { emptyBook, openGates, type Gates } from '../core/control';
import { gateOf } from '../core/gates';
import { bucketOf, laneKeyOf, originOf } from '../core/index-keys';
import type { Rows } from '../ports';
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

/** Of what has to get in line without a look. */
export const stuck: Ahead = { mustQueue: true, gates: openGates, othersWait: true };

/** What is assumed when the store cannot be read. */
export function blind({ system }: Context, { entry }: Intent): Ahead {
  return { ...stuck, mustQueue: mustWait(entry, system.now()) };
}

/** Whether a request may go live, by one read. */
export function lookAhead(context: Context, intent: Intent): Promise<Ahead> {
  return context.store.transact('read', (rows) => lookIn(rows, context, intent));
}

/** The same, in a transaction that is there anyway. */
export async function lookIn(rows: Rows, context: Context, { entry }: Intent): Promise<Ahead> {
  const { config, system } = context;
  const now = system.now();
  const [gates = openGates, book = emptyBook, tail] = await Promise.all([
    rows.control('gates'),
    rows.control('book'),
    entry.lane === null ? undefined : rows.laneTail(laneKeyOf(entry.subject, entry.lane)),
  ]);
  if (mustWait(entry, now)) return stuck;
  const shut = gateOf(bucketOf(entry), gates, keeperOf(context, entry.subject), now);
  const held = shut !== null && shut.kind !== 'sign-in';
  const quiet = allowance(gates, originOf(entry.request.url), now, false, config.concurrency).allowed === 0;
  const othersWait = Object.keys(book.buckets).length > 0;
  return { mustQueue: tail !== undefined || held || quiet, gates, othersWait };
}

/** For its time, or for another request. */
function mustWait({ dueAt, dependsOn = [] }: Intent['entry'], now: number): boolean {
  return dueAt > now || dependsOn.length > 0;
}
