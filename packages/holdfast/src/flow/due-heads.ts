import type { Entry } from '../core/entry';
import { indexKeys } from '../core/index-keys';
import type { Context } from './context';
import type { Ledger } from './ledger';
import { mendClock } from './mend-clock';
import { unfitNow } from './parcel';

/** How many due heads of one bucket are looked at: enough to choose from, and the same for a hundred or a hundred thousand. */
const windowSize = 32;

/** How many windows are looked through while the clock is in doubt, which lasts minutes: those who wait for it may be many. */
const windowsMax = 32;

export interface DueHeads {
  /** In the order in which they are due. */
  readonly due: readonly Entry[];
  /** Somebody was left out who waits until the clock is known to be right. */
  readonly inDoubt: boolean;
}

/** Those of a bucket whose time has come. Who has to wait for a clock in doubt hides nobody who need not. */
export async function dueHeads(
  ledger: Ledger,
  context: Context,
  bucket: string,
  { now, trusted }: { readonly now: number; readonly trusted: boolean },
): Promise<DueHeads> {
  const isFit = (entry: Entry) => trusted || entry.state !== 'pending' || !unfitNow(context, entry, now);
  const due: Entry[] = [];
  let inDoubt = false;
  let past: readonly [at: number, seq: number] | undefined;
  for (let windows = 0; windows < windowsMax; windows += 1) {
    const heads = await ledger.rows.ready(bucket, now, windowSize, past);
    const fit = heads.filter(isFit);
    due.push(...fit);
    inDoubt ||= fit.length < heads.length;
    const [, at, seq] = (heads.length === windowSize && indexKeys(heads.at(-1)!).ready) || [];
    if (trusted || due.length >= windowSize || at === undefined || seq === undefined) break;
    past = [at, seq];
  }
  if (due.length === 0) due.push(...(await mendClock(ledger, context, bucket, now)).filter(isFit));
  return { due, inDoubt };
}
