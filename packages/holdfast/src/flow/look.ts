import { suspects } from '../core/breaker';
import { emptyBook, noCounts, openGates, type Book, type Gates } from '../core/control';
import type { Entry } from '../core/entry';
import { explain } from '../core/explain';
import { gateOf, standing, type GateKeeper } from '../core/gates';
import { bucketParts } from '../core/index-keys';
import { own } from '../core/own';
import { snapshotWindow, viewOf, type EntryView, type OutboxSnapshot, type OutboxStatus } from '../core/snapshot';
import type { Rows } from '../ports';
import { allowance } from './allowance';
import type { Context } from './context';
import { keeperOf } from './keeper';
import { waiting } from './waiting';

/** What is needed to say why an entry waits. */
export interface Sight {
  readonly gates: Gates;
  readonly keeper: GateKeeper;
  readonly now: number;
}

export function sightOf(context: Context, gates: Gates, subject: string | null): Sight {
  return {
    gates,
    now: context.system.now(),
    keeper: keeperOf(context, subject),
  };
}

export function seen(entry: Entry, { gates, keeper, now }: Sight): EntryView {
  return viewOf(entry, explain(entry, gates, keeper, now));
}

/** One look at the store: counts and a bounded window, in one read, however many entries there are. */
export async function look(context: Context, status: OutboxStatus): Promise<OutboxSnapshot> {
  const subject = await context.subject();
  const whose = subject ?? '';
  return context.store.transact('read', async (rows) => {
    const latest = (state: 'dead' | 'delivered', limit: number) =>
      rows.list({ subject: whose, state, limit, direction: 'newest-first' });
    const [book = emptyBook, gates = openGates, dead, delivered] = await Promise.all([
      rows.control('book'),
      rows.control('gates'),
      latest('dead', snapshotWindow.dead),
      latest('delivered', snapshotWindow.delivered),
    ]);
    const oldestOf = (state: 'sending' | 'pending') => waiting(rows, book, whose, state, snapshotWindow.waiting);
    const [sending, pending] = await Promise.all([oldestOf('sending'), oldestOf('pending')]);
    const sight = sightOf(context, gates, subject);
    const oldest = Math.min(...[...sending, ...pending].map((entry) => entry.createdAt));
    const paused = standing(gates.all, sight.now);
    return {
      ready: true,
      revision: book.revision,
      at: sight.now,
      counts: own(book.subjects, whose) ?? noCounts,
      entries: [...sending, ...pending, ...dead, ...delivered].map((entry) => seen(entry, sight)),
      oldestPendingAt: Number.isFinite(oldest) ? oldest : null,
      nextAttemptAt: await nextAttemptAt(context, rows, book, sight, whose),
      connectivity: gates.connectivity.verdict,
      paused: paused && { until: paused.until },
      signInNeeded: own(gates.signIn, whose) !== undefined,
      suspects: suspects(gates.origins),
      status,
    };
  });
}

/** When the soonest of this subject's entries can go: its own time and what its gates say. Null when nothing is known to come. */
async function nextAttemptAt(
  context: Context,
  rows: Rows,
  book: Book,
  { gates, keeper, now }: Sight,
  subject: string,
): Promise<number | null> {
  const moments = await Promise.all(
    Object.keys(book.buckets)
      .filter((bucket) => bucketParts(bucket).subject === subject)
      .map(async (bucket) => {
        const shut = gateOf(bucket, gates, keeper, now);
        const at = shut?.until === null ? undefined : await rows.nextReadyAt(bucket);
        const quiet = allowance(gates, bucketParts(bucket).origin, now, false, context.config.concurrency);
        return at === undefined
          ? Infinity
          : Math.max(at, shut?.until ?? 0, quiet.allowed === 0 ? (quiet.nextAt ?? 0) : 0);
      }),
  );
  // A deadline may be another subject's, so it counts only where this one has something waiting.
  const expiry = moments.length > 0 ? await rows.nextExpiry() : undefined;
  const soonest = Math.min(...moments, expiry ?? Infinity);
  return soonest === Infinity ? null : soonest;
}
