import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleEntry } from '../testing/sample-entry';
import { unfit } from './readiness';

const day = 86_400_000;

describe('unfit', () => {
  it('has an entry expire at its own deadline, not a millisecond before', () => {
    const entry = sampleEntry(1, { expiresAt: 60_000 });
    expect(unfit(entry, 59_999, day)).toBeNull();
    expect(unfit(entry, 60_000, day)).toEqual({
      reason: 'expired',
      message: 'Its time ran out before the server took it. It was never sent.',
    });
    expect(unfit({ ...entry, outcome: 'unknown' }, 60_000, day)?.message).toContain('may have been received');
    expect(unfit({ ...entry, expiresAt: 0 }, 0, day)?.reason).toBe('expired');
  });

  it('holds what may have been received once the server has forgotten the key', () => {
    const entry = sampleEntry(1, { outcome: 'unknown', firstUnknownAt: 1_000 });
    expect(unfit(entry, 1_000 + day, day)).toBeNull();
    expect(unfit(entry, 1_001 + day, day)).toMatchObject({ reason: 'held' });
    expect(unfit(entry, 1_001 + day, day)?.message).toMatch(/^It may have been received/);
    expect(unfit(entry, 1_001 + day, Infinity)).toBeNull();
  });

  it('lets what was never sent, or was answered, go at any age', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e14 }),
        fc.constantFrom('never-sent' as const, 'answered' as const),
        (now, outcome) => {
          expect(unfit(sampleEntry(1, { outcome, firstUnknownAt: 0 }), now, day)).toBeNull();
        },
      ),
    );
  });

  it('cannot hold what has no moment of doubt on record', () => {
    expect(unfit(sampleEntry(1, { outcome: 'unknown' }), 1e14, day)).toBeNull();
  });

  it('calls an entry expired rather than held when it is both', () => {
    const entry = sampleEntry(1, { outcome: 'unknown', firstUnknownAt: 0, expiresAt: day });
    expect(unfit(entry, 3 * day, day)?.reason).toBe('expired');
  });
});
