import type { Entry } from '../core/entry';
import { asOutboxError, OutboxError } from '../core/errors';
import { originOf } from '../core/index-keys';
import { unfold } from './content';
import { log, type Context } from './context';
import { isTooLate } from './leases';
import { factsOf } from './intent';
import { judge, judgeBroken, type Judged } from './judge';
import { lateAnswer, type LateAnswer } from './late-answer';
import { reportError } from './report-error';
import { createRenewal, type Renewal } from './renew';
import { groupMax, type Settler } from './settler';
import { deadlineMs, outgoing } from './outgoing';
import { createLine } from './line';
import { holds } from './parcel';
import { sendTogether, type Fate } from './door';

/** The slots of one slice: each sends the entries of its parcel one after another. */
export interface Sender {
  start(parcel: readonly Entry[]): void;
  /** Slots at work. */
  busy(): number;
  /** When all that is under way is over at the latest, epoch ms; 0 when nothing is. */
  quietAt(): number;
  /** Slots that have ended so far. */
  ended(): number;
  /** Resolves when a slot is done: all it did is in the settler's hands. At once when more have ended than `before`. */
  oneDone(before: number): Promise<void>;
  inFlight(): ReadonlyMap<string, number>;
  /** How many entries one slot should take: grows while parcels are quick, one again when they are not. */
  parcelSize(): number;
}

export interface SenderOptions {
  readonly settler: Settler;
  /** Whom this slice sends for. */
  readonly subject: string | null;
  /** False when the lock was lost or the drain must stop: what was claimed and not begun is given back. */
  readonly mayGoOn: () => boolean;
}

/** A parcel that took less than this may be twice as large next time, ms. */
const quickMs = 500;
const largestParcel = 16;

/** So many outcomes of one slot may be unwritten: while one group is on its way to the disk, half of the next is made. */
export const unwrittenMax = groupMax + groupMax / 2;

export function createSender(context: Context, options: SenderOptions): Sender {
  const renewal = createRenewal(context);
  /** The slots at work, and the end of each one's last lease. */
  const slots = new Map<Promise<void>, number>();
  const inFlight = new Map<string, number>();
  let size = 1;
  let ended = 0;

  function count(origin: string, by: number): void {
    const left = (inFlight.get(origin) ?? 0) + by;
    if (left > 0) inFlight.set(origin, left);
    else inFlight.delete(origin);
  }

  function start(parcel: readonly Entry[]): void {
    const origin = originOf(parcel[0]?.request.url ?? '');
    const startedAt = context.system.now();
    count(origin, 1);
    const grew = (until: number): void => void slots.set(slot, until);
    const slot = sendParcel(context, renewal, parcel, { ...options, grew })
      .then(({ good, sent }) => {
        const eachMs = (context.system.now() - startedAt) / Math.max(sent, parcel.length);
        const quick = good && eachMs * parcel.length < quickMs;
        size = quick ? Math.min(size * 2, largestParcel) : 1;
      })
      .finally(() => {
        ended += 1;
        count(origin, -1);
        slots.delete(slot);
      });
    // A failure of the store surfaces in `oneDone`; until somebody looks it must not count as unhandled.
    slot.catch(() => undefined);
    slots.set(slot, parcel.at(-1)?.lease?.until ?? 0);
  }

  return {
    start,
    busy: () => slots.size,
    quietAt: () => Math.max(0, ...slots.values()),
    ended: () => ended,
    oneDone: (before) => (ended > before ? Promise.resolve() : Promise.race(slots.keys())),
    inFlight: () => inFlight,
    parcelSize: () => size,
  };
}

interface SlotOptions extends SenderOptions {
  /** More was claimed for it, under leases that run until then, epoch ms. */
  readonly grew: (until: number) => void;
}

/** @returns how many were sent, and whether all of them were and had a good answer */
async function sendParcel(
  context: Context,
  renewal: Renewal,
  parcel: readonly Entry[],
  options: SlotOptions,
): Promise<{ readonly good: boolean; readonly sent: number }> {
  const { settler } = options;
  const line = createLine(context, parcel, options);
  /** By outcome: whether it could be written. */
  const written: Promise<boolean>[] = [];
  const giveBack = (entries: readonly Entry[]): void => {
    // Where that cannot be written either, its lease runs out.
    for (const entry of entries) settler.giveBack(entry).catch(() => undefined);
  };
  const mayGo = (): Promise<boolean> => mayBegin(context, options);
  /** What came of the next ones, which went together with one that is dealt with already. */
  let fates: Fate[] = [];
  let good = true;
  for (let entry = await line.next(); entry; entry = await line.next()) {
    if (fates.length === 0 && line.isStale()) good = false;
    if (fates.length === 0 && good) fates = [...(await sendTogether(context, [entry, ...line.rest()], mayGo))];
    const fate = fates.shift();
    if (fate?.kind === 'not-begun' || (!fate && !good)) {
      giveBack([entry]);
      good = false;
      continue;
    }
    const tried = await tryOne(context, renewal, entry, fate, options);
    if (!tried) {
      giveBack([entry]);
      good = false;
      continue;
    }
    const { judged, late } = tried;
    if (good && fates.length === 0 && isSafelyDone(judged)) line.grow();
    const isLast = line.isOver();
    const outcome = settler.settle({ entry, judged, holdsLane: holds(context, entry) }, isLast).then(
      () => true,
      (error: unknown) => (reportError(context, error), false),
    );
    void outcome.then(() => late?.keptAs(entry));
    written.push(outcome);
    if (judged.verdict.final === 'retry' || (judged.settlement.move === 'refuse' && holds(context, entry))) {
      // In a lane nobody overtakes, nor passes a dead one that holds it; elsewhere the origin is asked again before more is
      // thrown at it. What went together with this one has its own answer all the same.
      good = false;
      continue;
    }
    // The claim that follows writes what is left.
    if (isLast) break;
    if (entry.lane !== null && fates.length === 0 && !isSafelyDone(judged)) {
      void settler.flush();
      good = await outcome;
    }
    // A kill makes us send again what is not written, so that is never more than a few.
    if (written.length >= unwrittenMax) good &&= (await written[written.length - unwrittenMax]) === true;
  }
  return { good, sent: written.length };
}

/**
 * Whether the next of its lane may go before this is written. After a kill it is sent again, behind the next: a server that has
 * done it says so again under the same key, but one that refused it might do it then.
 */
function isSafelyDone({ settlement, verdict }: Judged): boolean {
  return settlement.move === 'deliver' && verdict.class === 'delivered';
}

/** @returns undefined when it was not sent because it may not be any more */
async function tryOne(
  context: Context,
  renewal: Renewal,
  entry: Entry,
  fate: Fate | undefined,
  options: SenderOptions,
): Promise<Tried | undefined> {
  const mayGo = (): Promise<boolean> => mayBegin(context, options);
  // Who is signed in is a read of the store. It is asked right before each request leaves, and before that only where the app's
  // hooks or a key come first, which have no business with a stranger's request.
  if (!fate && !(takesMore(context, entry) ? await mayGo() : options.mayGoOn())) return undefined;
  let tried: Tried | undefined = fate?.kind === 'judged' ? fate : await attempt(context, entry, mayGo);
  if (fate?.kind === 'alone') tried ??= { judged: fate.lost };
  if (tried?.judged.verdict.class !== 'auth') return tried;
  const again = await renewal.renewed(entry, context.config.routeNamed(entry.route));
  return again ? ((await attempt(context, entry, mayGo)) ?? (fate ? tried : undefined)) : tried;
}

/** What an attempt came to so far. */
interface Tried {
  readonly judged: Judged;
  readonly late?: LateAnswer | undefined;
}

function takesMore({ config, vault }: Context, { route }: Entry): boolean {
  const places = [config.config, config.routeNamed(route)];
  return vault !== undefined || places.some(({ beforeSend, freshFields }) => beforeSend ?? freshFields);
}

/**
 * Before each request: still ours to send, and still the same person signed in. While nobody can say who that is nothing is
 * sent; whoever claims next asks too, and says so.
 */
async function mayBegin(context: Context, { mayGoOn, subject }: SenderOptions): Promise<boolean> {
  try {
    return mayGoOn() && (await context.recentSubject()) === subject;
  } catch {
    return false;
  }
}

/**
 * Rows can be written by any script of the origin: a request that no route takes may only go to the app's own origin.
 * @throws OutboxError `unreadable`
 */
function mustBeOurs({ config, origin }: Context, { request }: Entry): void {
  if (originOf(request.url) === origin || config.route(factsOf(request), origin)) return;
  throw new OutboxError('unreadable', `its address ${request.url} is outside of every route, so it is not sent`);
}

/**
 * Sends one entry and judges what came back. Never rejects: whatever fails here is this entry's failure.
 * @returns undefined when it was not sent because it may not be any more
 */
async function attempt(context: Context, entry: Entry, mayGo: () => Promise<boolean>): Promise<Tried | undefined> {
  const route = context.config.routeNamed(entry.route);
  const startedAt = context.system.now();
  const beganOffline = context.system.saysOffline();
  log(context, { event: 'attempt', level: 'debug', id: entry.id, route: entry.route, attempt: entry.tries + 1 });
  let sent = false;
  try {
    mustBeOurs(context, entry);
    const { request: stored, body } = await unfold(context, entry);
    const request = await outgoing(context, { ...entry, request: stored }, route, body);
    // The hooks took their time, or the tab was frozen: still the same person signed in, and still ours to send?
    if (!(await mayGo()) || isTooLate(context, entry)) return undefined;
    sent = true;
    const late = lateAnswer(context, { entry, route, startedAt });
    const lastMs = deadlineMs(route, entry.body.size);
    const arrival = await context.transport.send(request, lastMs, undefined, (answer) => late.hear(answer));
    const tookMs = context.system.now() - startedAt;
    const judged = await judge(context, { entry, route, arrival, tookMs, beganOffline });
    // What nobody has read by now is not wanted; unread it would keep its connection.
    if (arrival.kind === 'answer') void arrival.answer.text(0);
    return { judged, late };
  } catch (error) {
    const why = asOutboxError(error, sent ? 'hook-failed' : 'unreadable', 'this entry cannot be sent as it is stored');
    return { judged: judgeBroken(context, entry, route, why, sent) };
  }
}
