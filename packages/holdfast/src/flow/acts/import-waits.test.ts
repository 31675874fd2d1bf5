import { expect, it } from 'vitest';
import type { Json } from '../../core/entry';
import { rig } from '../../testing/rig';
import { exportEntries, importEntries } from './transfer';

it('what was not to be sent before a time is not, in the outbox that takes it in either', async () => {
  const from = rig();
  await from.add('/a', {}, { notBefore: from.system.now() + 60_000 });
  const file = JSON.parse(JSON.stringify(await exportEntries(from.context))) as Json;
  const to = rig({ seed: 2 });
  await importEntries(to.context, file);
  void to.engine.drain.wake('start');
  await to.system.passMs(59_000);
  expect(to.transport.sent).toEqual([]);
  await to.system.passMs(2_000);
  expect(to.transport.sent).toHaveLength(1);
});
