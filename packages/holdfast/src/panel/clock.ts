/** Time for the panel; a test hands in its own. */
export interface PanelClock {
  /** Epoch ms. */
  now(): number;
  /** Calls back again and again until told to stop. */
  every(ms: number, tick: () => void): () => void;
}

export const systemClock: PanelClock = {
  now: () => Date.now(),
  every(ms, tick) {
    const timer = setInterval(tick, ms);
    return () => clearInterval(timer);
  },
};
