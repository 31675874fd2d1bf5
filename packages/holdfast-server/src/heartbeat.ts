import type { System } from './system';

/** Calls those who have been at something for a while, with one timer for all of them. */
export interface Heartbeat {
  /** Calls `beat` first after one to two intervals, then at every interval, until the answer is called. */
  start(beat: () => void): () => void;
}

/** Who is done within one interval, as nearly all are, costs two operations on a set. */
export function createHeartbeat(system: System, everyMs: number): Heartbeat {
  const young = new Set<() => void>();
  const old = new Set<() => void>();
  let ticking = false;

  function tick(): void {
    for (const beat of old) beat();
    for (const beat of young) old.add(beat);
    young.clear();
    ticking = old.size > 0;
    if (ticking) system.after(everyMs, tick);
  }

  return {
    start(beat) {
      young.add(beat);
      if (!ticking) {
        ticking = true;
        system.after(everyMs, tick);
      }
      return () => {
        if (!young.delete(beat)) old.delete(beat);
      };
    },
  };
}
