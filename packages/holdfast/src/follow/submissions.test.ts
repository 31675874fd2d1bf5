import { describe, expect, it, vi } from 'vitest';
import type { EntryView } from '../core/snapshot';
import type { Followed } from './followed';
import { entry, fakeOutbox, kept, turns } from './fake-outbox.fixture';
import { followSubmissions, type Submissions } from './submissions';

const url = 'https://api.example/orders';
const post = (n: number) => ({ method: 'post', body: '{}', outbox: { meta: { n } } });

const seen = (followed: Followed<Submissions>) =>
  followed.getSnapshot().submissions.map(({ state, meta }) => [state, (meta as { n: number } | undefined)?.n]);

function follow(onConfirmed?: () => unknown) {
  const fake = fakeOutbox();
  fake.show([]);
  const followed = followSubmissions(fake.outbox, 'notes', onConfirmed);
  let told = 0;
  const stop = followed.subscribe(() => (told += 1));
  return { ...fake, followed, stop, told: () => told };
}

const asState = (view: EntryView, state: EntryView['state']): EntryView => ({ ...view, state });

describe('what is submitted', () => {
  it('is sending, then saved on this device, then confirmed, and leaves when the app has refetched', async () => {
    let refetched = (): void => undefined;
    const { followed, sent, show } = follow(() => new Promise<void>((resolve) => (refetched = resolve)));
    const done = followed.submit(url, post(1));
    expect(seen(followed)).toEqual([['sending', 1]]);
    const { key } = followed.getSnapshot().submissions[0] ?? {};

    const mine = entry('a', { meta: { n: 1 } });
    show([], [mine]);
    sent[0]?.answer(kept('a'));
    expect(await done).toMatchObject({ key, state: 'saved', entry: { id: 'a' } });
    expect(seen(followed)).toEqual([['saved', 1]]);

    show([asState(mine, 'sending')]);
    expect(seen(followed)).toEqual([['sending', 1]]);
    show([asState(mine, 'delivered')]);
    await turns();
    expect(seen(followed)).toEqual([['confirmed', 1]]);
    refetched();
    await turns();
    expect(seen(followed)).toEqual([]);
    expect(followed.getSnapshot().latest).toMatchObject({ key, state: 'confirmed' });
  });

  it('is confirmed or refused by a live answer, and failed when it was neither sent nor kept', async () => {
    const { followed, sent } = follow();
    const all = [followed.submit(url, post(1)), followed.submit(url, post(2)), followed.submit(url, post(3))];
    sent[0]?.answer(new Response(null, { status: 201 }));
    sent[1]?.answer(new Response(null, { status: 422 }));
    sent[2]?.fail(new TypeError('Failed to fetch'));
    const [, refused, failed] = await Promise.all(all);
    expect(refused?.response?.status).toBe(422);
    expect(failed?.error).toBeInstanceOf(TypeError);
    await turns();
    expect(seen(followed)).toEqual([
      ['refused', 2],
      ['failed', 3],
    ]);
    followed.dismiss(refused?.key ?? '');
    followed.dismiss(failed?.key ?? '');
    expect(seen(followed)).toEqual([]);
  });

  it('without an outbox fails, and says so', async () => {
    const followed = followSubmissions(null);
    expect(await followed.submit(url)).toMatchObject({ state: 'failed', error: { code: 'closed' } });
  });
});

describe('what waits on the route', () => {
  it('is listed whoever made it, in its order, until it is confirmed or closed; other routes are not', async () => {
    const onConfirmed = vi.fn();
    const { followed, show } = follow(onConfirmed);
    const [one, two, three] = [1, 2, 3].map((n) => entry(`e${n}`, { meta: { n } })) as [
      EntryView,
      EntryView,
      EntryView,
    ];
    const dead = { reason: 'rejected', at: 0, triage: 'open', message: '' } as unknown as NonNullable<
      EntryView['dead']
    >;
    show([two, { ...three, state: 'dead', dead }, asState(one, 'sending'), entry('x', { route: 'other' })]);
    expect(seen(followed)).toEqual([
      ['sending', 1],
      ['saved', 2],
      ['dead', 3],
    ]);

    show([
      asState(one, 'delivered'),
      asState(two, 'delivered'),
      { ...three, state: 'dead', dead: { ...dead, triage: 'closed' } },
    ]);
    await turns();
    expect(seen(followed)).toEqual([]);
    expect(onConfirmed).toHaveBeenCalledTimes(1);
    // What was delivered before anybody looked is in the app's data already.
    show([entry('y', { state: 'delivered' })]);
    expect(seen(followed)).toEqual([]);
  });

  it('is looked up when the window has moved on', async () => {
    const { followed, show } = follow();
    const mine = entry('a', { meta: { n: 1 } });
    show([mine]);
    show([], [asState(mine, 'sending')]);
    await turns();
    expect(seen(followed)).toEqual([['sending', 1]]);
    show([], [asState(mine, 'delivered')]);
    await turns();
    expect(seen(followed)).toEqual([]);
  });

  it('stays when the refetch failed, until the next one succeeds', async () => {
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    const onConfirmed = vi.fn().mockRejectedValueOnce(new TypeError('offline')).mockResolvedValue(undefined);
    const { followed, show } = follow(onConfirmed);
    const [one, two] = [1, 2].map((n) => entry(`e${n}`, { meta: { n } })) as [EntryView, EntryView];
    show([one, two]);
    show([asState(one, 'delivered'), two]);
    await turns();
    expect(seen(followed)).toEqual([
      ['confirmed', 1],
      ['saved', 2],
    ]);
    show([asState(one, 'delivered'), asState(two, 'delivered')]);
    await turns();
    expect(seen(followed)).toEqual([]);
    expect(reported).toHaveBeenCalledTimes(1);
    vi.unstubAllGlobals();
  });

  it('is not listed a second time when it is stored before its live attempt', async () => {
    const { followed, sent, show } = follow();
    const now = Date.now();
    const stored = (id: string, n: number): EntryView =>
      entry(id, { state: 'sending', createdAt: now + 60_000, meta: { n } });
    const answered = followed.submit(url, post(1));
    const keptOne = followed.submit(url, post(2));
    const [a, b, other] = [stored('a', 1), stored('b', 2), stored('c', 3)];
    show([a, b, other]);
    expect(seen(followed)).toEqual([
      ['sending', 3],
      ['sending', 1],
      ['sending', 2],
    ]);

    sent[0]?.answer(new Response(null, { status: 201 }));
    await answered;
    sent[1]?.answer(kept('b'));
    await keptOne;
    await turns();
    // A late look still shows it on its way.
    show([a, asState(b, 'pending'), other]);
    expect(seen(followed)).toEqual([
      ['saved', 2],
      ['sending', 3],
    ]);
  });

  it('stays away once dismissed', () => {
    const { followed, show } = follow();
    const mine = entry('a', { meta: { n: 1 } });
    show([mine]);
    followed.dismiss('a');
    show([{ ...mine, revision: 2 }]);
    expect(seen(followed)).toEqual([]);
  });
});

it('listens while somebody listens, and tells only of changes', () => {
  const { listening, stop, show, told } = follow();
  const mine = entry('a');
  show([mine]);
  show([{ ...mine }]);
  expect([listening(), told()]).toEqual([1, 1]);
  stop();
  expect(listening()).toBe(0);
});
