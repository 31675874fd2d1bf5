import { describe, expect, it } from 'vitest';
import { pageStatus } from '../testing/page-status';
import { rig, type RigOptions } from '../testing/rig';
import type { OutboxEvent } from './client';
import { createEvents } from './events';
import { createFeed } from './feed';
import { createReader } from './read';
import { whenIdle } from './settled';

const config = { routes: [{ name: 'docs', match: '/docs/:id', lane: 'doc-:id' }] };

/** A page that only watches, and another context that makes and sends the requests. */
async function page(options: RigOptions = {}) {
  const made = rig({ config, ...options });
  const { context } = made.tab();
  const feed = createFeed(context, () => pageStatus);
  await feed.refresh();
  const events: OutboxEvent[] = [];
  createEvents(context, feed).on((event) => void events.push(event));
  return {
    ...made,
    pendingFor: createReader(context).pendingFor,
    whenIdle: (lane?: string | null) => whenIdle(context, feed, lane),
    /** Lanes that were said to be drained; null is the whole outbox. */
    drained: () => events.flatMap((event) => (event.type === 'drained' ? [event.lane] : [])),
    send: () => made.engine.drain.wake('person'),
    settle: () => made.system.passMs(1_000),
  };
}

describe('a page that fetches a list again', () => {
  it('learns what of its own waits for an address, being sent or not, and nothing that has ended', async () => {
    let who = 'ann';
    const { add, send, settle, pendingFor } = await page({
      subject: () => who,
      server: ({ url }) => (url.endsWith('/refused') ? { status: 422 } : { status: 201, afterMs: 5_000 }),
    });
    await add('/docs/refused');
    await add('/docs/1');
    await add('/docs/1');
    await add('/docs/2');
    who = 'bob';
    await add('/docs/1');
    who = 'ann';
    void send();
    await settle();
    const states = async (pattern: string) =>
      (await pendingFor(pattern)).map(({ url, state }) => [url.slice(-2), state]);
    expect(await states('/docs/1')).toEqual([
      ['/1', 'sending'],
      ['/1', 'pending'],
    ]);
    expect(await states('/docs/*')).toHaveLength(3);
    expect(await states('/elsewhere/*')).toEqual([]);
  });

  it('can wait until nothing waits in a lane, whoever sends it, while others still do', async () => {
    const { add, send, settle, whenIdle, drained } = await page({
      server: ({ url }) => (url.endsWith('/1') ? { status: 201 } : { fail: 'silence' }),
    });
    await add('/docs/1');
    await add('/docs/2');
    const over: string[] = [];
    void whenIdle('doc-1').then(() => over.push('doc-1'));
    void whenIdle('doc-2').then(() => over.push('doc-2'));
    void whenIdle().then(() => over.push('all'));
    await settle();
    expect(over).toEqual([]);
    void send();
    await settle();
    expect(over).toEqual(['doc-1']);
    expect(drained()).toEqual(['doc-1']);
  });

  it('can wait until nothing waits at all, and is told so once; the dead wait for a person, not for the server', async () => {
    const { add, send, settle, whenIdle, drained } = await page({
      server: ({ url }) => ({ status: url.endsWith('/1') ? 422 : 201 }),
    });
    await add('/docs/1');
    await add('/docs/2');
    let over = false;
    void whenIdle().then(() => (over = true));
    await settle();
    expect([over, drained()]).toEqual([false, []]);
    await send();
    await settle();
    expect(over).toBe(true);
    expect(drained().filter((lane) => lane === null)).toEqual([null]);
    expect(drained()).toEqual(expect.arrayContaining(['doc-1', 'doc-2']));
  });

  it('waits for nothing when nothing waits, and not for "no lane"', async () => {
    const { whenIdle } = await page();
    await whenIdle();
    await whenIdle('doc-1');
    await expect(whenIdle(null)).rejects.toMatchObject({ code: 'bad-option' });
  });
});
