import { describe, expect, it } from 'vitest';
import { defaultBackoff } from '../../core/backoff';
import { rankJitters } from './choose';

describe('the default jitter', () => {
  it('is the one that a recovering server with 1,000 clients likes best', { timeout: 240_000 }, () => {
    const [best, next] = rankJitters([1]);
    expect(best?.jitter).toEqual(defaultBackoff.jitter);
    expect(best?.givenUp).toBe(0);
    expect(best?.cost).toBeLessThan(next?.cost ?? 0);
  });
});
