import { dueNow } from '../core/clock';
import type { Entry } from '../core/entry';
import { advance } from '../core/lifecycle';
import { bury } from '../flow/bury';
import { takePlace } from '../flow/lane';
import type { Context } from '../flow/context';
import type { Ledger, Patch } from '../flow/ledger';
import { release, settle } from '../flow/settle';
import { extrasOf, withExtras } from './extras';
import { underWay } from './line';

/*
 * What the app takes out of a queue in its `onSync` is lent, not given: it stays in the store as "being sent" until that run
 * ends. A worker that dies in between leaves it there, and it comes back.
 */

/** How long a loan lasts without being renewed, ms. Not longer than any context takes a lease to be. */
export const loanMs = 45_000;

export function lend(ledger: Ledger, context: Context, entry: Entry): Promise<Entry> {
  const until = context.system.now() + loanMs;
  return ledger.update(entry, {
    state: advance(entry.state, 'claim'),
    lease: { owner: context.owner, token: ledger.token(), until, live: true },
  });
}

export function isLent(entry: Entry): boolean {
  return entry.state === 'sending' && entry.lease?.live === true;
}

/** Whether this is still the loan that was given, not a later claim. */
export function isLoan(entry: Entry | undefined, token: number): entry is Entry {
  return entry !== undefined && isLent(entry) && entry.lease?.token === token;
}

/** Done as far as anybody can tell: the app sent it and nothing was put back. */
export function passedOn(ledger: Ledger, entry: Entry, now: number): Promise<Entry | undefined> {
  const patch = { finishedAt: now, outcome: 'answered' as const, verified: false, tries: entry.tries + 1 };
  return settle(ledger, { entry, settlement: { move: 'deliver', patch }, holdsLane: false });
}

/** The app took it out and did not send it: that is its own business, and on record. */
export function dropped(ledger: Ledger, entry: Entry, message: string, at: number): Promise<Entry> {
  return bury(ledger, entry, { reason: 'cancelled', message, at });
}

/** Nobody knows what became of it: a person has to look. */
export function leftOver(ledger: Ledger, entry: Entry, at: number): Promise<Entry> {
  const message =
    "The app's onSync took it and failed without putting it back. It may have been received. Look at the target before it is sent again.";
  return bury(ledger, entry, { reason: 'held', message, at }, { outcome: 'unknown', tries: entry.tries + 1 });
}

/** Back in line, where it stood. */
export async function putBack(ledger: Ledger, entry: Entry, patch: Patch): Promise<Entry | undefined> {
  if (isLent(entry)) {
    const back = await release(ledger, entry, { outcome: 'unknown', tries: entry.tries + 1 });
    return ledger.update(back, patch);
  }
  if (entry.state !== 'dead') return undefined;
  return ledger.update(entry, {
    state: advance(entry.state, 'replay'),
    head: await takePlace(ledger, entry),
    outcome: 'unknown',
    tries: entry.tries + 1,
    dead: undefined,
    finishedAt: undefined,
    holdsLane: undefined,
    ...patch,
  });
}

/**
 * Takes up what runs that died have left. Only whoever runs `onSync` for this queue may call it: then no other run is alive.
 * What the app had gone past is done; what it had in hand waits again, and may have arrived.
 */
export async function takeUp(ledger: Ledger, context: Context, queue: string): Promise<void> {
  const now = context.system.now();
  for (const entry of await underWay(ledger.rows, queue)) {
    if (!isLent(entry) || entry.lease?.owner === context.owner) continue;
    if (extrasOf(entry).passed) await passedOn(ledger, entry, now);
    else await release(ledger, entry, { outcome: 'unknown', tries: entry.tries + 1, dueAt: dueNow(entry, now) });
  }
}

/** Marks what the app has sent and gone past, should this worker die before the run is over. */
export function goPast(ledger: Ledger, entry: Entry): Promise<Entry> {
  return ledger.update(entry, withExtras(entry, { passed: true }));
}
