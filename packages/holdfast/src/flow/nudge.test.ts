import { describe, expect, it } from 'vitest';
import { createNudge } from './nudge';

function rig() {
  const timers: (() => void)[] = [];
  const wakes: (() => void)[] = [];
  const system = { timer: (_: number, work: () => void) => (timers.push(work), () => undefined) };
  const nudge = createNudge(system, () => new Promise<void>((resolve) => wakes.push(resolve)));
  return { nudge, wakes, rested: () => timers.shift()?.() };
}

describe('a nudge', () => {
  it('wakes at once, and for all who come meanwhile once more', async () => {
    const { nudge, wakes, rested } = rig();
    const first = nudge();
    const others = [nudge(), nudge(), nudge()];
    expect(wakes).toHaveLength(1);

    rested();
    await Promise.resolve();
    expect(wakes).toHaveLength(2);
    wakes.forEach((done) => done());
    await Promise.all([first, ...others]);

    rested();
    await Promise.resolve();
    expect(wakes).toHaveLength(2);
  });

  it('keeps whoever came late waiting for the wake-up that began after him', async () => {
    const { nudge, wakes, rested } = rig();
    void nudge();
    let seen = false;
    const late = nudge().then(() => (seen = true));
    wakes[0]?.();
    await Promise.resolve();
    expect(seen).toBe(false);

    rested();
    await Promise.resolve();
    wakes[1]?.();
    await late;
    expect(seen).toBe(true);
  });
});
