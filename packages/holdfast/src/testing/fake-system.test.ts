import { describe, expect, it } from 'vitest';
import { fakeSystem } from './fake-system';

describe('the fake system', () => {
  it('runs timers in order, each at its own moment, also those set on the way', async () => {
    const system = fakeSystem({ now: 1_000 });
    const seen: string[] = [];
    const note = (name: string) => () => void seen.push(`${name}@${system.now()}`);
    system.timer(300, note('late'));
    system.timer(100, () => {
      note('early')();
      system.timer(50, note('child'));
    });
    await system.passMs(400);
    expect(seen).toEqual(['early@1100', 'child@1150', 'late@1300']);
    expect(system.now()).toBe(1_400);
  });

  it('lets promises settle between timers', async () => {
    const system = fakeSystem();
    const seen: string[] = [];
    const slow = async () => {
      for (let step = 0; step < 50; step += 1) await Promise.resolve();
      seen.push('first');
    };
    system.timer(1, () => void slow());
    system.timer(2, () => void seen.push('second'));
    await system.passMs(5);
    expect(seen).toEqual(['first', 'second']);
  });

  it('does not run a timer that was called off, and knows which one is next', async () => {
    const system = fakeSystem({ now: 10 });
    const cancel = system.timer(5, () => expect.unreachable());
    expect([system.timers(), system.nextTimerAt()]).toEqual([1, 15]);
    cancel();
    expect([system.timers(), system.nextTimerAt()]).toEqual([0, undefined]);
    await system.passMs(100);
  });

  it('keeps the distance of timers when somebody sets the clock', async () => {
    const system = fakeSystem({ now: 1_000 });
    let ranAt = 0;
    system.timer(100, () => void (ranAt = system.now()));
    system.setClock(50);
    await system.passMs(99);
    expect(ranAt).toBe(0);
    await system.passMs(1);
    expect(ranAt).toBe(150);
  });

  it('throws the same dice for the same seed, and others for another', () => {
    const draw = (seed: number) => Array.from({ length: 5 }, fakeSystem({ seed }).random);
    expect(draw(3)).toEqual(draw(3));
    expect(draw(3)).not.toEqual(draw(4));
    expect(Array.from({ length: 1_000 }, fakeSystem().random).every((n) => n >= 0 && n < 1)).toBe(true);
  });

  it('makes ids that differ between systems of different seeds', () => {
    const [a, b] = [fakeSystem({ seed: 1 }), fakeSystem({ seed: 2 })];
    expect(new Set([a.id(), a.id(), b.id(), b.id()]).size).toBe(4);
  });
});
