import type { DeadReason, Entry } from '../core/entry';
import { advance } from '../core/lifecycle';
import { promoteNext } from './lane';
import type { Ledger, Patch } from './ledger';

export interface Burial {
  readonly reason: DeadReason;
  /** For people: what happened and what can be done. */
  readonly message: string;
  /** Epoch ms. */
  readonly at: number;
}

/** Acts of a person or of the app, not failures: nobody has to look at them. */
export function isByAct(reason: DeadReason): boolean {
  return reason === 'cancelled' || reason === 'superseded';
}

/** Moves an entry to the dead-letter list with its payload and the reason, and lets its lane go on (or hold, by option). */
export async function bury(
  ledger: Ledger,
  entry: Entry,
  burial: Burial,
  patch: Patch = {},
  holdsLane = false,
): Promise<Entry> {
  const byAct = isByAct(burial.reason);
  const move = burial.reason === 'expired' ? 'expire' : byAct || burial.reason === 'dropped' ? 'cancel' : 'refuse';
  const dead = await ledger.update(entry, {
    ...patch,
    state: advance(entry.state, move),
    head: false,
    lease: undefined,
    finishedAt: burial.at,
    holdsLane: holdsLane && !byAct ? true : undefined,
    dead: {
      ...burial,
      triage: byAct ? 'closed' : 'open',
      ...(byAct && { closedAt: burial.at, resolution: burial.reason }),
    },
  });
  ledger.tally(entry.subject, (tally) => ({
    ...tally,
    died: tally.died + (byAct ? 0 : 1),
    byRoute: byAct ? tally.byRoute : countRoute(tally.byRoute, entry.route, 'died'),
  }));
  if (!dead.holdsLane && wasInFront(entry)) await promoteNext(ledger, entry, entry.seq);
  if (byAct) await buryChildren(ledger, dead, burial.at);
  return dead;
}

/** The answer they wait for will never come: a person has to look at them too. */
export async function buryChildren(ledger: Ledger, parent: Entry, at: number): Promise<void> {
  for (const id of parent.children ?? []) {
    const child = await ledger.rows.byId(id);
    if (child?.state !== 'pending' || !child.waitsFor?.includes(parent.id)) continue;
    const message =
      'It waits for the answer to a request that was closed without one. Change it and send it again, or close it too.';
    await bury(ledger, child, { reason: 'unresolved', message, at });
  }
}

/** Whether everybody before this entry is gone from its lane. */
export function wasInFront(entry: Entry): boolean {
  return entry.head || entry.state === 'sending';
}

type Routes = Readonly<Record<string, { readonly delivered: number; readonly died: number; readonly retries: number }>>;

export function countRoute(routes: Routes, route: string, what: 'delivered' | 'died' | 'retries'): Routes {
  const before = routes[route] ?? { delivered: 0, died: 0, retries: 0 };
  return { ...routes, [route]: { ...before, [what]: before[what] + 1 } };
}
