import { describe, expect, it } from 'vitest';
import { headerOf } from '../core/header-pairs';
import { rig, rigOrigin, type RigTab } from '../testing/rig';
import { capture, partsOf } from './capture';
import { factsOf } from './intent';
import type { LiveResult } from './live';

/** A page's fetch as a worker catches it. */
function caught({ engine, context }: RigTab, run: string): Promise<LiveResult> {
  const request = new Request(`${rigOrigin}/pay`, { method: 'POST', body: 'once' });
  const found = context.config.route(factsOf(partsOf(request)), rigOrigin)!;
  return engine.live({
    captured: capture(request),
    ...found,
    call: {},
    caughtBy: { clientId: 'page', run },
    answered: new Promise(() => undefined),
  });
}

describe('a worker that is killed after the request has left', () => {
  it('had noted the key before, so that the second dispatch of the same fetch goes out with it', async () => {
    const noted: boolean[] = [];
    const made = rig({
      server: async (request) => {
        const key = headerOf(request.headers, 'idempotency-key')?.replaceAll('"', '') ?? '';
        noted.push((await made.store.transact('read', (rows) => rows.journalLine(key))) !== undefined);
        return { status: 201 };
      },
    });
    await caught(made, 'killed');
    await caught(made.tab(), 'next');
    expect(noted).toEqual([true, true]);
    const keys = made.transport.sent.map(({ headers }) => headerOf(headers, 'idempotency-key'));
    expect(new Set(keys).size).toBe(1);
  });

  it('leaves its key to a second dispatch, not to the same request minutes later, which is another intent', async () => {
    const made = rig({ server: () => ({ fail: 'silence' }) });
    void caught(made, 'killed');
    await made.system.passMs(10);
    made.fake.kill();
    await made.system.passMs(300_000);
    void caught(made.tab(), 'next');
    await made.system.passMs(10);
    const keys = made.transport.sent.map(({ headers }) => headerOf(headers, 'idempotency-key'));
    expect(new Set(keys).size).toBe(2);
    const lines = await made.store.transact('read', (rows) => rows.journal());
    expect(lines.map(({ run }) => run)).toEqual(['next']);
  });
});
