import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { system } from './system';

describe('the real timers', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('wait longer than one timer of the engine can', () => {
    const work = vi.fn();
    const forty = 40 * 86_400_000;
    system.timer(forty, work);
    vi.advanceTimersByTime(forty - 1);
    expect(work).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(work).toHaveBeenCalledOnce();
  });

  it('never give the engine more than it takes, which it would run at once', () => {
    const given = vi.spyOn(globalThis, 'setTimeout');
    system.timer(2 ** 33, () => undefined);
    vi.advanceTimersByTime(2 ** 33);
    expect(given.mock.calls.length).toBeGreaterThan(4);
    expect(given.mock.calls.every(([, delay]) => delay! <= 2 ** 31 - 1)).toBe(true);
  });

  it('can be called off, also in the middle of a long wait', () => {
    const work = vi.fn();
    const cancel = system.timer(2 ** 32, work);
    vi.advanceTimersByTime(2 ** 31 + 5);
    cancel();
    vi.advanceTimersByTime(2 ** 33);
    expect(work).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('wait for ever when told so', () => {
    const work = vi.fn();
    const cancel = system.timer(Infinity, work);
    vi.advanceTimersByTime(2 ** 36);
    expect(work).not.toHaveBeenCalled();
    cancel();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('ids', () => {
  it('are URL-safe and differ', () => {
    const ids = Array.from({ length: 500 }, system.id);
    expect(new Set(ids).size).toBe(500);
    expect(ids.every((id) => /^[\w-]{21}$/.test(id))).toBe(true);
  });

  it('of the UUID kind are version 4', () => {
    const ids = Array.from({ length: 200 }, system.uuid);
    expect(new Set(ids).size).toBe(200);
    expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(
      true,
    );
  });
});
