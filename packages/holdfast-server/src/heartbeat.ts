import type { System } from './system';

/** Keeps the leases of slow handlers alive, with one timer for all of them. */
export interface Heartbeat {
  /** Calls `beat` at every interval until the answer is called. */
  start(beat: () => void): () => void;
}

/** A handler that is done within one interval, as nearly all are, costs two operations on a set and no store call. */
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
