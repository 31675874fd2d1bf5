import { dueNow } from '../../core/clock';
import { quietUntil } from '../../core/breaker';
import type { Gates } from '../../core/control';
import { bucketParts } from '../../core/index-keys';
import type { Context } from '../context';
import { act } from './find';

export interface FlushOptions {
  /** What is due later becomes due now. @default false */
  readonly ignoreBackoff?: boolean;
  /** Also ignores what servers asked for (`Retry-After`) and open breakers. @default false */
  readonly force?: boolean;
}

/** How many entries one flush brings forward per kind of entry; the rest follow as these are sent. */
const flushMax = 500;

/** Brings waiting entries forward. Their own `notBefore` and pauses stand; so does `Retry-After`, unless forced. Large ones no longer wait for a cheaper connection. */
export async function bringForward(
  context: Context,
  { ignoreBackoff = false, force = false }: FlushOptions,
): Promise<void> {
  if (!ignoreBackoff && !force) return;
  await act(context, async (ledger, subject, now) => {
    if (force) ledger.setGates(withoutQuiet(ledger.gates));
    for (const bucket of Object.keys(ledger.book.buckets)) {
      const parts = bucketParts(bucket);
      if (parts.subject !== subject) continue;
      if (quietUntil(ledger.gates.origins[parts.origin], now) > 0 && !force) continue;
      for (const entry of await ledger.rows.ready(bucket, Number.MAX_VALUE, flushMax)) {
        if (entry.state !== 'pending' || entry.parkedUntil !== undefined) continue;
        if (entry.dueAt <= now && !entry.bulky) continue;
        if ((entry.notBefore ?? 0) > now) continue;
        if (!force && (entry.askedUntil ?? 0) > now) continue;
        // A person says "now", whatever the connection costs.
        await ledger.update(entry, { dueAt: Math.min(entry.dueAt, dueNow(entry, now)), bulky: undefined });
      }
    }
  });
}

function withoutQuiet(gates: Gates): Gates {
  const origins = Object.entries(gates.origins).map(([origin, gate]) => [
    origin,
    { ...gate, pausedUntil: 0, probeAt: 0 },
  ]);
  return { ...gates, origins: Object.fromEntries(origins) as Gates['origins'] };
}
