import { expect, test } from 'vitest';
import { enginesUnderTest } from '../browsers/engines-under-test.ts';
import { soak } from './soak.ts';

const hasChromium = enginesUnderTest.some(({ name, installed }) => name === 'chromium' && installed);

test.skipIf(!hasChromium)(
  'a thousand writes, stored while three tabs look on, arrive once each and in order',
  async () => {
    const { stored, drained, faults } = await soak({ entries: 1_000, tabs: 3 });
    expect(faults).toEqual([]);
    expect(stored.at(-1)?.at).toBe(1_000);
    expect(drained.at(-1)?.at).toBe(1_000);
  },
);
