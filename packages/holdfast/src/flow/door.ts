import type { BatchDoor } from '../core/batch-door';
import type { Entry } from '../core/entry';
import { originOf } from '../core/index-keys';
import type { Arrival, Arrived, Outgoing } from '../ports';
import { unfold } from './content';
import { log, type Context } from './context';
import { judge, type Judged } from './judge';
import { lateAnswer, type LateAnswer } from './late-answer';
import { isTooLate } from './leases';
import { deadlineMs, outgoing } from './outgoing';

/** What came of an entry that went with others. */
export type Fate =
  | { readonly kind: 'judged'; readonly judged: Judged; readonly late?: LateAnswer | undefined }
  /** The server says that it did not begin with it: it was never sent. */
  | { readonly kind: 'not-begun' }
  /** It goes again by itself, at once; `lost` is what is known of it if that cannot be. */
  | { readonly kind: 'alone'; readonly lost: Judged };

/** What a door is handed to send with, so that it brings nothing of this along. */
export interface Hands {
  readonly keyHeader: string;
  /** The request of an entry as it would leave by itself. @throws OutboxError when it cannot be made */
  ready(entry: Entry): Promise<Outgoing>;
  /** Whether an entry may go through the same door as the first. */
  sharesDoor(entry: Entry): boolean;
  /** Still ours to send, all of them. */
  mayGo(entries: readonly Entry[]): Promise<boolean>;
  /** Sends the call, within the time all of its entries have. @param late told of an answer that comes after that */
  call(request: Outgoing, entries: readonly Entry[], late: (answer: Arrived) => void): Promise<Arrival>;
  /** What brings together an entry and its own part of such an answer. */
  late(entry: Entry): LateAnswer;
  judge(entry: Entry, arrival: Arrival): Promise<Judged>;
  /** The door is not there, or not to be understood: it is left alone for a while. */
  close(): void;
}

/**
 * Sends as many of the entries as one call takes, from the first on, and judges each by its own answer.
 * @returns the fates of the first ones, in order; none when the first must go by itself
 */
export type Together = (hands: Hands, address: string, entries: readonly Entry[]) => Promise<readonly Fate[]>;

/** Doors that are left alone, by context and address: until when. */
const shut = new WeakMap<Context, Map<string, number>>();
const shutMs = 600_000;

/** The door an entry may go through, where its route has one and it is open. */
export function doorOf(context: Context, entry: Entry): BatchDoor | undefined {
  const { batch } = context.config.routeNamed(entry.route);
  if (!batch) return undefined;
  return (shut.get(context)?.get(addressOf(batch, entry)) ?? 0) > context.system.now() ? undefined : batch;
}

/** Whether two entries may go through one door in one call. */
export function sharesDoor(context: Context, one: Entry, other: Entry): boolean {
  return doorOf(context, one) === doorOf(context, other) && originOf(one.request.url) === originOf(other.request.url);
}

function addressOf({ path }: BatchDoor, { request }: Entry): string {
  return `${originOf(request.url)}${path}`;
}

/** What the first of these and those after it came to together; none when it must go by itself. */
export async function sendTogether(
  context: Context,
  entries: readonly Entry[],
  mayGo: () => Promise<boolean>,
): Promise<readonly Fate[]> {
  const [first] = entries;
  const door = first && doorOf(context, first);
  if (!door || entries.length < 2) return [];
  const address = addressOf(door, first);
  const startedAt = context.system.now();
  const beganOffline = context.system.saysOffline();
  const routeOf = (entry: Entry) => context.config.routeNamed(entry.route);
  const hands: Hands = {
    keyHeader: context.config.key.header,
    async ready(entry) {
      const { request, body } = await unfold(context, entry);
      return outgoing(context, { ...entry, request }, routeOf(entry), body);
    },
    sharesDoor: (entry) => sharesDoor(context, entry, first),
    mayGo: async (going) => (await mayGo()) && !going.some((entry) => isTooLate(context, entry)),
    call(request, going, late) {
      for (const { id, route, tries } of going) {
        log(context, { event: 'attempt', level: 'debug', id, route, attempt: tries + 1 });
      }
      const leftMs = Math.min(...going.map(({ lease }) => (lease?.until ?? Infinity) - context.system.now()));
      const lastMs = Math.min(deadlineMs(routeOf(first), sizeOf(request)), leftMs);
      return context.transport.send(request, lastMs, undefined, late);
    },
    late: (entry) => lateAnswer(context, { entry, route: routeOf(entry), startedAt }),
    judge: (entry, arrival) =>
      judge(context, { entry, route: routeOf(entry), arrival, tookMs: context.system.now() - startedAt, beganOffline }),
    close() {
      const doors = shut.get(context) ?? new Map<string, number>();
      shut.set(context, doors.set(address, context.system.now() + shutMs));
    },
  };
  return (door.together as Together)(hands, address, entries);
}

function sizeOf({ body }: Outgoing): number {
  return body === null ? 0 : body instanceof Uint8Array ? body.byteLength : body.size;
}
