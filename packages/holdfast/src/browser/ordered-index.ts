/** A compound key; numbers sort before strings, shorter before longer, as in IndexedDB. */
export type OrderedKey = readonly (number | string)[];

interface Member {
  readonly key: OrderedKey;
  readonly seq: number;
}

/** Keeps `seq`s sorted by a compound key: what an IndexedDB index does, for the memory store. */
export interface OrderedIndex {
  add(key: OrderedKey, seq: number): void;
  remove(key: OrderedKey, seq: number): void;
  /** The `seq`s with lower ≤ key ≤ upper, in order; `exclusive` leaves out a key equal to `lower`. */
  between(lower: OrderedKey, upper: OrderedKey, limit: number, exclusive?: boolean): number[];
  /** The same from the other end. */
  betweenFromEnd(lower: OrderedKey, upper: OrderedKey, limit: number): number[];
  /** The first key with lower ≤ key ≤ upper. */
  firstKey(lower: OrderedKey, upper: OrderedKey): OrderedKey | undefined;
  count(lower: OrderedKey, upper: OrderedKey): number;
}

export function orderedIndex(): OrderedIndex {
  const members: Member[] = [];

  /** How many members come before `key`, or before or at it when `through` is set. */
  function position(key: OrderedKey, seq: number): number {
    let low = 0;
    let high = members.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const member = members[middle]!;
      if ((compareKeys(member.key, key) || member.seq - seq) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  const from = (key: OrderedKey) => position(key, -Infinity);
  const through = (key: OrderedKey) => position(key, Infinity);

  return {
    add(key, seq) {
      members.splice(position(key, seq), 0, { key, seq });
    },
    remove(key, seq) {
      const at = position(key, seq);
      if (members[at]?.seq === seq) members.splice(at, 1);
    },
    between(lower, upper, limit, exclusive = false) {
      const start = exclusive ? through(lower) : from(lower);
      const end = Math.min(through(upper), start + limit);
      return members.slice(start, Math.max(start, end)).map((member) => member.seq);
    },
    betweenFromEnd(lower, upper, limit) {
      const end = through(upper);
      const start = Math.max(from(lower), end - limit);
      return members
        .slice(Math.min(start, end), end)
        .map((member) => member.seq)
        .reverse();
    },
    firstKey(lower, upper) {
      const first = members[from(lower)];
      return first && compareKeys(first.key, upper) <= 0 ? first.key : undefined;
    },
    count: (lower, upper) => Math.max(0, through(upper) - from(lower)),
  };
}

/** Negative when `a` sorts first, positive when `b` does, 0 when they are equal. */
export function compareKeys(a: OrderedKey, b: OrderedKey): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) {
    const left = a[at]!;
    const right = b[at]!;
    if (left === right) continue;
    if (typeof left !== typeof right) return typeof left === 'number' ? -1 : 1;
    return left < right ? -1 : 1;
  }
  return a.length - b.length;
}
