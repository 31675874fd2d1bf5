import { describe, expect, it } from 'vitest';
import { createTurns } from './turns';

describe('requests of one lane', () => {
  it('wait for those before them, and nobody else does', async () => {
    const turns = createTurns();
    const seen: string[] = [];
    const first = await turns.take('a');
    const second = turns.take('a').then((turn) => {
      seen.push('second');
      turn.done();
    });
    (await turns.take('b')).done();
    (await turns.take(null)).done();
    expect(seen).toEqual([]);

    first.done();
    await second;
    expect(seen).toEqual(['second']);
  });

  it('follow into the store at once, and know that they are behind somebody', async () => {
    const turns = createTurns();
    let stored = (): void => undefined;
    const first = await turns.take('a');
    expect(first.behind).toBe(false);
    first.handOver(new Promise<void>((resolve) => (stored = resolve)));

    const second = await turns.take('a');
    expect(second.behind).toBe(true);
    second.done();

    stored();
    await Promise.resolve();
    expect((await turns.take('a')).behind).toBe(false);
  });

  it('are behind nobody when what was before them could not be stored', async () => {
    const turns = createTurns();
    const failed = Promise.reject(new Error('full'));
    (await turns.take('a')).handOver(failed);
    await failed.catch(() => undefined);
    expect((await turns.take('a')).behind).toBe(false);
  });
});
