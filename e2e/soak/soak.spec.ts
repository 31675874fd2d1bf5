import { expect, test } from 'vitest';
import { enginesUnderTest } from '../browsers/engines-under-test.ts';
import { soak } from './soak.ts';

const hasChromium = enginesUnderTest.some(({ name, installed }) => name === 'chromium' && installed);

test.skipIf(!hasChromium)(
  'some hundred writes, stored while another tab looks on, arrive once each and in order',
  async () => {
    const { stored, drained, faults } = await soak({ entries: 300, tabs: 2 });
    expect(faults).toEqual([]);
    expect(stored.at(-1)?.at).toBe(300);
    expect(drained.at(-1)?.at).toBe(300);
  },
);
