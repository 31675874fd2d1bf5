import { afterEach, describe, expect, it, vi } from 'vitest';
import { rig } from '../testing/rig';
import { onMessages } from './on-message';
import { createUnderway } from './underway';

type Listener = (event: object) => void;

/** A worker's global with one listener; tells what an event is kept alive by. */
function worker(wake: () => Promise<void>) {
  const { engine, system } = rig();
  let hear: Listener = () => undefined;
  vi.stubGlobal('self', { addEventListener: (_: string, listener: Listener) => (hear = listener) });
  onMessages({ ...engine, drain: { ...engine.drain, wake } }, createUnderway());
  const kept: { over: boolean; failed: boolean } = { over: false, failed: false };
  const data = { v: 1, type: 'wake', outbox: engine.context.config.name, why: 'timer' };
  hear({
    data,
    ports: [],
    waitUntil: (work: Promise<void>) =>
      void work.then(
        () => (kept.over = true),
        () => (kept.failed = true),
      ),
  });
  return { kept, system };
}

afterEach(() => void vi.unstubAllGlobals());

describe('a message that wakes the worker', () => {
  it('keeps it at work until the queue has had its turn', async () => {
    let end = (): void => undefined;
    const { kept, system } = worker(() => new Promise((resolve) => (end = resolve)));
    await system.passMs(60_000);
    expect(kept.over).toBe(false);
    end();
    await system.passMs(1);
    expect(kept.over).toBe(true);
  });

  it('ends before the engine ends the worker, however long the queue is', async () => {
    const { kept, system } = worker(() => new Promise(() => undefined));
    await system.passMs(239_000);
    expect(kept.over).toBe(false);
    await system.passMs(2_000);
    expect(kept.over).toBe(true);
  });

  it('fails as the queue does', async () => {
    const { kept, system } = worker(() => Promise.reject(new Error('gone')));
    await system.passMs(1);
    expect(kept.failed).toBe(true);
  });
});
