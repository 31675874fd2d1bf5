/** When a failing store is left alone, so that a dead one costs callers no timeouts and a reviving one is not trampled. */
export interface Breaker {
  /** Whether a call may be made now. While half open, only one caller is told yes. */
  allows(now: number): boolean;
  /** How long until the next call may be made. */
  waitMs(now: number): number;
  /** @returns whether this ended an outage */
  succeeded(): boolean;
  /** @returns whether this began an outage */
  failed(now: number): boolean;
}

/**
 * @param failuresToOpen failures in a row that begin an outage
 * @param firstMs        first pause; each failed probe doubles it
 * @param capMs          longest pause
 */
export function createBreaker(failuresToOpen = 5, firstMs = 1_000, capMs = 30_000): Breaker {
  let failures = 0;
  let pauseMs = 0;
  let openUntil = 0;
  let probing = false;

  return {
    allows(now) {
      if (pauseMs === 0) return true;
      if (now < openUntil || probing) return false;
      probing = true;
      return true;
    },
    waitMs: (now) => (pauseMs === 0 ? 0 : Math.max(0, openUntil - now)),
    succeeded() {
      const ended = pauseMs > 0;
      failures = 0;
      pauseMs = 0;
      probing = false;
      return ended;
    },
    failed(now) {
      failures += 1;
      if (failures < failuresToOpen) return false;
      const began = pauseMs === 0;
      if (began || probing) {
        pauseMs = began ? firstMs : Math.min(capMs, pauseMs * 2);
        openUntil = now + pauseMs;
      }
      probing = false;
      return began;
    },
  };
}
