import { describe, expect, it } from 'vitest';
import { headerOf } from '../core/header-pairs';
import type { AnswerView, ConflictResult, OutboxConfig } from '../core/options';
import type { EntryView } from '../core/snapshot';
import type { FakeServer } from '../testing/fake-transport';
import { rig } from '../testing/rig';

const large = 'x'.repeat(9_000);

/** One request that meets a conflict first, and what the app says about it. */
async function met(
  said: ConflictResult | ((answer: AnswerView, entry: EntryView) => ConflictResult | Promise<ConflictResult>),
  init: RequestInit = { body: 'old' },
  {
    server = (_, nth) => ({ status: nth === 1 ? 412 : 201 }),
    ...more
  }: Partial<OutboxConfig> & { server?: FakeServer } = {},
) {
  const resolveConflict = typeof said === 'function' ? said : () => said;
  const made = rig({
    config: { routes: [{ name: 'api', match: '/*', lane: null }], resolveConflict, ...more },
    server,
  });
  const before = await made.add('/a', { ...init, headers: { 'x-own': 'mine', 'if-match': '"1"', ...init.headers } });
  await made.engine.drain.wake('start');
  await made.system.passMs(60_000);
  const text = (body: unknown) => (body instanceof Uint8Array ? new TextDecoder().decode(body) : body);
  return {
    ...made,
    before,
    now: async () => (await made.all())[0]!,
    sent: made.transport.sent.map(({ body, ...request }) => ({ ...request, body: text(body) })),
    stored: () => made.store.transact('read', async (rows) => (await rows.body(1)) ?? null),
  };
}

describe('a conflict', () => {
  it.each([409, 412])('of %d that nobody resolves is dead as one', async (status) => {
    const { now, sent } = await met(undefined, {}, { server: () => ({ status }) });
    expect(await now()).toMatchObject({ state: 'dead', dead: { reason: 'conflict' } });
    expect(sent).toHaveLength(1);
  });

  it('is shown to the app with the answer and the entry', async () => {
    const seen: unknown[] = [];
    const { before } = await met(
      async (answer, { id }) => void seen.push([answer.status, await answer.text(), id]),
      {},
      { server: () => ({ status: 409, body: 'theirs' }) },
    );
    expect(seen).toEqual([[409, 'theirs', before.id]]);
  });

  it('that the app takes for delivered is', async () => {
    const { now, sent } = await met('delivered');
    const entry = await now();
    expect(entry).toMatchObject({ state: 'delivered', finishedAt: 1_000_000 });
    expect(entry).not.toHaveProperty('dead');
    expect(sent).toHaveLength(1);
  });

  it('may be tried again at once, the same request under the same key', async () => {
    const { now, sent, before } = await met('retry');
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(sent[0]);
    const entry = await now();
    expect(entry).toMatchObject({ state: 'delivered', key: before.key });
    expect(entry).not.toHaveProperty('dead');
  });

  it('is nobody’s after it was resolved five times', async () => {
    let asked = 0;
    const { now, sent } = await met(() => ((asked += 1), 'retry'), {}, { server: () => ({ status: 412 }) });
    expect(await now()).toMatchObject({ state: 'dead', dead: { reason: 'conflict' } });
    expect([asked, sent.length]).toEqual([5, 6]);
  });

  it('is the affair of the route’s own hook first', async () => {
    const { now } = await met(
      () => expect.unreachable(),
      {},
      {
        routes: [{ name: 'api', match: '/*', lane: null, resolveConflict: () => 'delivered' }],
      },
    );
    expect(await now()).toMatchObject({ state: 'delivered' });
  });

  it.each([201, 422, 500])('is none when the answer is %d', async (status) => {
    const { sent } = await met(
      () => expect.unreachable(),
      {},
      { server: (_, nth) => ({ status: nth > 1 ? 201 : status }) },
    );
    expect(sent.length).toBeLessThan(3);
  });
});

describe('what the app sends instead', () => {
  it('is another intent: its key is new, nothing of it was sent before, and the rest stays', async () => {
    const { now, sent, before } = await met({ json: { merged: true } });
    const { key } = await now();
    expect(key).not.toBe(before.key);
    expect(sent[1]).toMatchObject({ method: 'POST', url: before.request.url, body: '{"merged":true}' });
    const [type, own, sentKey] = ['content-type', 'x-own', 'idempotency-key'].map((name) =>
      headerOf(sent[1]!.headers, name),
    );
    expect([type, own, sentKey]).toEqual(['application/json', 'mine', `"${key}"`]);
    expect(await now()).toMatchObject({ state: 'delivered', body: { type: 'application/json' } });
  });

  it('may be of other headers and another address only: the body stays, with its type', async () => {
    const { sent, before } = await met({ url: 'https://app.example/b', headers: { 'if-match': '"2"', 'x-own': null } });
    expect(sent[1]).toMatchObject({ url: 'https://app.example/b', body: 'old' });
    const [match, own, type] = ['if-match', 'x-own', 'content-type'].map((name) => headerOf(sent[1]!.headers, name));
    expect([match, own, type]).toEqual(['"2"', null, before.body.type]);
  });

  it('takes the place of a key the app set itself', async () => {
    const { now, sent } = await met({ json: 1 }, { headers: { 'idempotency-key': '"own"' } });
    const { key } = await now();
    expect(sent.map(({ headers }) => headerOf(headers, 'idempotency-key'))).toEqual(['"own"', `"${key}"`]);
  });

  it.each<[string, RequestInit, object, string]>([
    ['grows out of its row', { body: 'old' }, { json: large }, JSON.stringify(large)],
    ['shrinks into its row', { body: large }, { json: 'small' }, '"small"'],
    ['is another large one', { body: large }, { json: large + large }, JSON.stringify(large + large)],
    ['stays large', { body: large }, { headers: { 'if-match': '"2"' } }, large],
  ])('goes out whole when its body %s, and leaves no bytes behind', async (_, init, said, wanted) => {
    const { now, sent, stored } = await met(said, init);
    expect(sent[1]?.body).toBe(wanted);
    expect(await now()).toMatchObject({ state: 'delivered' });
    expect(await stored()).toBeNull();
  });

  it('is as large as it is now, for metered connections', async () => {
    const server: FakeServer = (_, nth) => (nth === 1 ? { status: 412 } : { fail: 'network' });
    const more = { metered: { fromBytes: 5_000 }, server };
    expect(await (await met({ json: large }, {}, more)).now()).toHaveProperty('bulky', true);
    expect(await (await met({ json: 'small' }, { body: large }, more)).now()).not.toHaveProperty('bulky');
  });

  it('is sealed again where requests are encrypted', async () => {
    const { now, sent } = await met({ json: 'merged' }, { body: 'old' }, { encrypt: true });
    expect(sent[1]?.body).toBe('"merged"');
    expect(headerOf(sent[1]!.headers, 'x-own')).toBe('mine');
    expect(await now()).toMatchObject({ state: 'delivered', request: { headers: [] } });
  });
});
