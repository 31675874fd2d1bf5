import { describe, expect, it } from 'vitest';
import type { Entry } from '../core/entry';
import type { Settlement } from '../core/settlement';
import { memoryStore } from '../testing/memory-store';
import { rig } from '../testing/rig';
import { sampleEntry } from '../testing/sample-entry';
import { change } from './ledger';
import { settle } from './settle';
import { createSettler } from './settler';
import { abandon, putBack } from './write-ahead';

const lease = { owner: 'tab-1', token: 1, until: 2_000_000 };
const claimed = (id: string): Entry => sampleEntry(1, { id, key: `key-of-${id}`, state: 'sending', lease });
const delivered: Settlement = { move: 'deliver', patch: { outcome: 'answered' } };

/** A store that was cleared while a request was under way: another entry has its number, and its token. */
async function cleared() {
  const store = memoryStore();
  const other = claimed('other');
  await store.transact('strict', (rows) => rows.put(other));
  const all = () => store.transact('read', (rows) => rows.scan(0, 10));
  return { ...rig({ store }), store, other, all };
}

describe('what became of a request', () => {
  it.each(['deliver', 'refuse', 'release'] as const)(
    'is never written to another entry that has its number (%s)',
    async (move) => {
      const { store, other, all } = await cleared();
      const outcome = { entry: claimed('gone'), settlement: { ...delivered, move }, holdsLane: false };
      const { value } = await change(store, 'strict', (ledger) => settle(ledger, outcome));
      expect(value).toBeUndefined();
      expect(await all()).toEqual([other]);
    },
  );

  it('gives back, takes back and gives up no other entry either', async () => {
    const { context, other, all } = await cleared();
    const settler = createSettler(context);
    const back = settler.giveBack(claimed('gone'));
    await settler.flush();
    await back;
    await putBack(context, claimed('gone'));
    await abandon(context, claimed('gone'));
    expect(await all()).toEqual([other]);
  });
});
