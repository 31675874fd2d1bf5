import { noCounts, noTally, type Book } from '../core/control';
import type { Entry } from '../core/entry';
import { own } from '../core/own';
import type { Rows } from '../ports';
import type { Ledger } from './ledger';

/**
 * A subject's entries that wait or are being sent, oldest first. A search from the start of an index walks over all that was
 * deleted there, which gets slow after thousands: it begins where the oldest of them was known to be, and ends with as many as
 * are counted. When it does not find so many, it begins at the start after all.
 */
export async function waiting(
  rows: Rows,
  book: Book,
  subject: string,
  state: 'pending' | 'sending',
  limit: number,
): Promise<Entry[]> {
  const wanted = Math.min(limit, (own(book.subjects, subject) ?? noCounts)[state]);
  if (wanted === 0) return [];
  const lowest = own(book.lowest ?? {}, subject);
  if (!lowest) return rows.list({ subject, state, limit });
  const found = await rows.list({ subject, state, limit: wanted, after: lowest.seq - 1 });
  return found.length < wanted ? rows.list({ subject, state, limit }) : found;
}

/** How many may end before the oldest is looked for again. */
const endedMax = 500;

/** Looks where the oldest is by now, when many have ended since that was done last. */
export async function raiseLowest(ledger: Ledger, subject: string): Promise<void> {
  const { delivered, died } = own(ledger.book.tallies ?? {}, subject) ?? noTally;
  const ended = delivered + died;
  const before = own(ledger.book.lowest ?? {}, subject)?.ended ?? 0;
  // Figures that were lost and begin anew are no reason to stand still.
  if (Math.abs(ended - before) < endedMax) return;
  const { rows, book } = ledger;
  const firsts = await Promise.all([
    waiting(rows, book, subject, 'pending', 1),
    waiting(rows, book, subject, 'sending', 1),
  ]);
  const seq = Math.min(book.nextSeq, ...firsts.flat().map((entry) => entry.seq));
  ledger.setLowest(subject, { seq, ended });
}
