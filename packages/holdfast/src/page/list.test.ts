import { describe, expect, it } from 'vitest';
import { rig } from '../testing/rig';
import { createReader } from './read';

describe('a list of every state', () => {
  it.each(['oldest-first', 'newest-first'] as const)(
    'read on page by page shows each entry once (%s)',
    async (direction) => {
      const { add, engine, system, all, context } = rig({
        server: ({ url }) =>
          url.endsWith('3') ? { status: 422 } : url.endsWith('5') ? { status: 503 } : { status: 201 },
      });
      for (let n = 0; n < 7; n += 1) await add(`/things/${n}`, {}, { lane: null });
      void engine.drain.wake('start');
      await system.passMs(1_000);
      await add('/things/7', {}, { lane: null });
      const states = (await all()).map(({ state }) => state);
      expect(new Set(states)).toEqual(new Set(['delivered', 'dead', 'pending']));

      const { list } = createReader(context);
      const read: number[] = [];
      for (let after: number | undefined; ;) {
        const page = await list({ limit: 2, direction, ...(after !== undefined && { after }) });
        read.push(...page.map(({ seq }) => seq));
        after = page.at(-1)?.seq;
        if (page.length < 2) break;
      }
      const inOrder = (await all()).map(({ seq }) => seq);
      expect(read).toEqual(direction === 'oldest-first' ? inOrder : inOrder.reverse());
    },
  );
});
