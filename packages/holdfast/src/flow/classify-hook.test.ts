import { describe, expect, it } from 'vitest';
import type { OutboxConfig } from '../core/options';
import { rig } from '../testing/rig';

type Classify = NonNullable<OutboxConfig['classify']>;

/** One request that is answered once, and what became of it after the app had its say. */
async function judged(classify: Classify | undefined, status = 200, route: { classify?: Classify } = {}) {
  const made = rig({
    config: { routes: [{ name: 'api', match: '/*', lane: null, ...route }], ...(classify && { classify }) },
    server: (_, nth) =>
      nth === 1 ? { status, body: { errors: ['no'] }, headers: { 'x-own': 'mine' } } : { status: 201 },
  });
  await made.add('/a');
  void made.engine.drain.wake('start');
  await made.system.passMs(10);
  const [entry] = await made.all();
  const gates = await made.store.transact('read', (rows) => rows.control('gates'));
  return { ...made, entry: entry!, gate: gates?.origins['https://app.example'] };
}

describe('the app’s own say about an answer', () => {
  it('is asked with what came and for what', async () => {
    const seen: unknown[] = [];
    const { entry } = await judged(async (answer, { id }) => {
      seen.push([answer.status, answer.url, answer.redirected, await answer.text(), id]);
      expect(answer.headers).toContainEqual(['x-own', 'mine']);
      return undefined;
    });
    expect(seen).toEqual([[200, 'https://app.example/a', false, '{"errors":["no"]}', entry.id]]);
    expect(entry.state).toBe('delivered');
  });

  it.each([
    ['rejected', 200, 'dead'],
    ['delivered', 422, 'delivered'],
    ['server', 200, 'pending'],
  ] as const)('"%s" counts, whatever the table says of %d', async (said, status, state) => {
    expect((await judged(() => said, status)).entry.state).toBe(state);
    expect((await judged(() => ({ class: said }), status)).entry.state).toBe(state);
  });

  it('is that of the route first', async () => {
    const { entry } = await judged(() => 'rejected', 200, { classify: () => 'delivered' });
    expect(entry.state).toBe('delivered');
  });

  it('may ask for time, and the origin is left alone so long', async () => {
    const { entry, system } = await judged(() => ({ class: 'overload', retryAfterMs: 600_000 }));
    expect(entry).toMatchObject({ state: 'pending', askedUntil: 1_600_000 });
    expect(entry.dueAt).toBeGreaterThanOrEqual(1_600_000);
    expect(system.now()).toBeLessThan(entry.dueAt);
  });

  it('is not asked where nothing was answered', async () => {
    const made = rig({
      config: { routes: [{ name: 'api', match: '/*', lane: null }], classify: () => expect.unreachable() },
      server: [{ fail: 'network' }],
    });
    await made.add('/a');
    await made.engine.drain.wake('start');
    expect(await made.all()).toMatchObject([{ state: 'pending', lastFailure: { status: 0 } }]);
  });
});

describe('a say that makes no sense', () => {
  it.each<[string, Classify]>([
    ['is of no class', () => 'nonsense' as never],
    ['is an object of no class', () => ({}) as never],
    [
      'is an error',
      () => {
        throw new Error('broken');
      },
    ],
  ])('%s: the request waits, at its own cost, and its origin is none the worse', async (_, classify) => {
    const { entry, gate } = await judged(classify);
    expect(entry).toMatchObject({
      state: 'pending',
      attempts: 1,
      outcome: 'unknown',
      lastFailure: { class: 'server' },
    });
    expect(gate?.failures ?? 0).toBe(0);
  });
});
