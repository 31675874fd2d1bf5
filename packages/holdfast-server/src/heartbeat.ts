import type { System } from './system';

/** Calls those who have been at something for a while, with one timer for all of them. */
export interface Heartbeat {
  /** Calls `beat` first after one to two intervals, then at every interval, until the answer is called. */
  start(beat: () => void): () => void;
}

/**
 * Who is done within one interval, as nearly all are, costs a place in a list.
 *
 * A list of places that are used again, and not a `Set`: a set is laid out anew every few additions, and V8 keeps alive
 * whatever a discarded layout still names until its next full collection, here whole requests. It doubled the time a request
 * took.
 */
export function createHeartbeat(system: System, everyMs: number): Heartbeat {
  const places: (Watched | undefined)[] = [];
  const free: number[] = [];
  let ticking = false;

  function tick(): void {
    ticking = false;
    for (const watched of places) {
      if (!watched) continue;
      ticking = true;
      if (watched.seen) watched.beat();
      watched.seen = true;
    }
    if (ticking) system.after(everyMs, tick);
  }

  return {
    start(beat) {
      const place = free.pop() ?? places.length;
      const watched: Watched = { beat, seen: false };
      places[place] = watched;
      if (!ticking) {
        ticking = true;
        system.after(everyMs, tick);
      }
      return () => {
        if (places[place] !== watched) return;
        places[place] = undefined;
        free.push(place);
      };
    },
  };
}

interface Watched {
  readonly beat: () => void;
  /** Whether a tick has come by already. */
  seen: boolean;
}
