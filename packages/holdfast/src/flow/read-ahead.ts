import type { Entry } from '../core/entry';
import { indexKeys, laneKeyOf } from '../core/index-keys';
import type { Rows } from '../ports';

/** What a group of writes is going to ask. */
export interface Questions {
  readonly seqs?: readonly number[];
  readonly keys?: readonly string[];
  /** Keys that no row can have: whoever asks for them is answered without a look. */
  readonly newKeys?: readonly string[];
  readonly laneKeys?: readonly string[];
}

/**
 * The same rows, with these questions asked all at once: each answer is a trip to the engine's storage process, and a hundred
 * new entries one after another would make two hundred of them. What the same transaction writes is seen as ever.
 */
export function readAhead(rows: Rows, { seqs = [], keys = [], newKeys = [], laneKeys = [] }: Questions): Rows {
  const bySeq = new Map<number, Promise<Entry | undefined>>();
  const byKey = new Map<string, Promise<Entry | undefined>>();
  const tails = new Map<string, Promise<number | undefined>>();
  for (const seq of seqs) if (!bySeq.has(seq)) bySeq.set(seq, rows.bySeq(seq));
  for (const key of newKeys) byKey.set(key, Promise.resolve(undefined));
  for (const key of keys) if (!byKey.has(key)) byKey.set(key, rows.byKey(key));
  for (const laneKey of laneKeys) if (!tails.has(laneKey)) tails.set(laneKey, rows.laneTail(laneKey));

  function written(entry: Entry): void {
    if (bySeq.has(entry.seq)) bySeq.set(entry.seq, Promise.resolve(entry));
    if (byKey.has(entry.key)) byKey.set(entry.key, Promise.resolve(entry));
    if (entry.lane === null) return;
    const laneKey = laneKeyOf(entry.subject, entry.lane);
    const before = tails.get(laneKey);
    const place = indexKeys(entry).queue;
    // Who left the line may have been its last.
    if (!place) tails.delete(laneKey);
    else if (before)
      tails.set(
        laneKey,
        before.then((tail) => Math.max(tail ?? place[1], place[1])),
      );
  }

  return {
    ...rows,
    bySeq: (seq) => bySeq.get(seq) ?? rows.bySeq(seq),
    byKey: (key) => byKey.get(key) ?? rows.byKey(key),
    laneTail: (laneKey) => tails.get(laneKey) ?? rows.laneTail(laneKey),
    async put(entry) {
      await rows.put(entry);
      written(entry);
    },
    async remove(seq) {
      bySeq.clear();
      byKey.clear();
      tails.clear();
      await rows.remove(seq);
    },
  };
}
