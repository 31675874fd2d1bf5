/** What is going to happen, soonest first; of two things at one moment the one that was noted first. */
export interface Agenda {
  /** @param at milliseconds since the start of the simulation; a moment that is past is the present */
  note(at: number, work: (now: number) => void): void;
  /** Lets everything up to and including this moment happen, and what follows from it. */
  runUntil(end: number): void;
}

interface Item {
  readonly at: number;
  readonly order: number;
  readonly work: (now: number) => void;
}

export function createAgenda(): Agenda {
  /** A binary heap: the parent of `i` is at `(i - 1) >> 1` and never comes later. */
  const heap: Item[] = [];
  let order = 0;
  let now = 0;

  function note(at: number, work: Item['work']): void {
    const item = { at: Math.max(at, now), order: (order += 1), work };
    let i = heap.length;
    for (let up = (i - 1) >> 1; i > 0; up = (i - 1) >> 1) {
      const parent = heap[up];
      if (!parent || isSooner(parent, item)) break;
      heap[i] = parent;
      i = up;
    }
    heap[i] = item;
  }

  function take(): Item | undefined {
    const first = heap[0];
    const last = heap.pop();
    if (!last || last === first) return first;
    let i = 0;
    for (;;) {
      let down = 2 * i + 1;
      let child = heap[down];
      const other = heap[down + 1];
      if (child && other && isSooner(other, child)) [down, child] = [down + 1, other];
      if (!child || isSooner(last, child)) break;
      heap[i] = child;
      i = down;
    }
    heap[i] = last;
    return first;
  }

  return {
    note,
    runUntil(end) {
      for (let next = heap[0]; next && next.at <= end; next = heap[0]) {
        take();
        now = next.at;
        next.work(now);
      }
    },
  };
}

function isSooner(one: Item, other: Item): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
