import { noCounts, type Book, type Counts } from './control';
import type { Entry } from './entry';
import { bucketOf, isWaiting } from './index-keys';
import { own } from './own';

/** The book after one row took the place of another; undefined stands for no row. */
export function counted(book: Book, before: Entry | undefined, after: Entry | undefined): Book {
  const subjects = { ...book.subjects };
  const buckets = { ...book.buckets };
  for (const [entry, sign] of [[before, -1] as const, [after, 1] as const]) {
    if (!entry) continue;
    subjects[entry.subject] = addTo(own(subjects, entry.subject) ?? noCounts, entry, sign);
    if (!isWaiting(entry)) continue;
    const bucket = bucketOf(entry);
    const left = (buckets[bucket] ?? 0) + sign;
    if (left > 0) buckets[bucket] = left;
    else delete buckets[bucket];
  }
  return { ...book, subjects, buckets, ...lowered(book, before, after) };
}

/** Somebody came back to wait, before all who do. */
function lowered({ lowest }: Book, before: Entry | undefined, after: Entry | undefined): Pick<Book, 'lowest'> {
  const known = after && own(lowest ?? {}, after.subject);
  if (!known || after.seq >= known.seq || !isWaiting(after) || (before && isWaiting(before))) return {};
  return { lowest: { ...lowest, [after.subject]: { ...known, seq: after.seq } } };
}

function addTo(counts: Counts, entry: Entry, sign: 1 | -1): Counts {
  return {
    ...counts,
    [entry.state]: counts[entry.state] + sign,
    open: counts.open + (entry.dead && entry.state === 'dead' && entry.dead.triage !== 'closed' ? sign : 0),
    bytes: counts.bytes + (entry.state === 'delivered' ? 0 : sign * entry.body.size),
  };
}
