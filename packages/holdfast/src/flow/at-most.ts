import type { System } from '../ports';

/** Ends as `work` does, or well when the time is up. @param ms milliseconds */
export async function atMost(system: Pick<System, 'timer'>, ms: number, work: Promise<unknown>): Promise<void> {
  let cancel = (): void => undefined;
  const enough = new Promise<void>((resolve) => (cancel = system.timer(ms, resolve)));
  try {
    await Promise.race([work, enough]);
  } finally {
    cancel();
  }
}
