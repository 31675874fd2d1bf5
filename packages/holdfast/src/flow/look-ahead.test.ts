import { describe, expect, it } from 'vitest';
import { OutboxError } from '../core/errors';
import { rig } from '../testing/rig';

/** A store nobody can read or write. */
function gone() {
  const made = rig();
  made.context.store.transact = () => Promise.reject(new OutboxError('storage-unavailable', 'it is gone'));
  return made;
}

describe('a fresh request while the store cannot be read', () => {
  it('goes live: nobody knows of anything that stands before it', async () => {
    const { fetch, transport } = gone();
    expect(await fetch('/now')).toMatchObject({ kind: 'answered' });
    expect(transport.sent).toHaveLength(1);
  });

  it.each([
    ['its time has not come', { notBefore: 2_000_000 }],
    ['it depends on another', { dependsOn: ['somebody'] }],
  ])('does not go when %s, and says that it is not kept', async (_, call) => {
    const { fetch, transport } = gone();
    expect(await fetch('/later', {}, call)).toMatchObject({ kind: 'failed', error: { code: 'storage-unavailable' } });
    expect(transport.sent).toHaveLength(0);
  });
});
