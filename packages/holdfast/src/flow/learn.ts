import type { Gates } from '../core/control';
import { bucketParts, originOf } from '../core/index-keys';
import { afterRecovery } from '../core/recovery';
import type { Context } from './context';
import type { Judged } from './judge';
import type { Ledger } from './ledger';

/** How many waiting entries of one kind are brought forward at once; the rest follow as these are sent. */
const recoverMax = 100;

/**
 * Writes down what an attempt taught of its origin and of the line, whoever made it: a drain, a live request, one whose answer
 * came late.
 * @param url what was sent to
 */
export async function learn(
  ledger: Ledger,
  context: Context,
  { gates }: Pick<Judged, 'gates'>,
  url: string,
): Promise<void> {
  const before = ledger.gates;
  const after = gates(before);
  if (after === before) return;
  ledger.setGates(after);
  await recover(ledger, context, before, url);
}

/**
 * An origin has just proved to be back: what waits for it goes soon, spread over a first backoff, instead of at the end of a long
 * one. Budgets stay as they are: one entry the server always fails on must still come to an end.
 */
async function recover(ledger: Ledger, context: Context, before: Gates, url: string): Promise<void> {
  const origin = originOf(url);
  const wasDown = before.origins[origin]?.phase === 'open' || before.connectivity.verdict === 'offline';
  const isUp =
    (ledger.gates.origins[origin]?.phase ?? 'closed') === 'closed' && ledger.gates.connectivity.verdict === 'online';
  if (!wasDown || !isUp) return;
  const now = context.system.now();
  for (const bucket of Object.keys(ledger.book.buckets)) {
    const parts = bucketParts(bucket);
    if (parts.origin !== origin) continue;
    const { backoff } = context.config.routeNamed(parts.route).retry;
    for (const entry of await ledger.rows.ready(bucket, Number.MAX_VALUE, recoverMax)) {
      const patch =
        entry.parkedUntil === undefined ? afterRecovery(entry, backoff, now, context.system.random()) : null;
      if (patch?.dueAt !== undefined && patch.dueAt < entry.dueAt) await ledger.update(entry, { dueAt: patch.dueAt });
    }
  }
}
