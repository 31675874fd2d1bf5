/** What the guard needs from outside besides a store: a clock, timers and dice. */
export interface System {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `work` once after `delayMs`; the answer cancels it. A pending timer must not keep a process alive. */
  after(delayMs: number, work: () => void): () => void;
  /** A string nobody else has, made once per guard. */
  uniqueId(): string;
}

/** The machine's own clock, timers and dice. */
export const realSystem: System = {
  now: () => Date.now(),
  after(delayMs, work) {
    const timer: number | { unref?(): void } = setTimeout(work, delayMs);
    if (typeof timer === 'object') timer.unref?.();
    return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
  },
  uniqueId: () => crypto.randomUUID(),
};
