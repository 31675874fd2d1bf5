import { expect, it } from 'vitest';
import { cancel } from '../flow/acts/cancel';
import { edit } from '../flow/acts/edit';
import { exportEntries } from '../flow/acts/transfer';
import { claimDead, closeDead, replay } from '../flow/acts/triage';
import { rig } from '../testing/rig';
import { createEvents } from './events';
import { createFeed } from './feed';
import { createReader } from './read';

/** Planted where a secret or something personal can be, and nowhere else. */
const planted = {
  token: 'planted-token',
  forgery: 'planted-forgery',
  cookie: 'planted-cookie',
  apiKey: 'planted-api-key',
  body: 'planted-phone-number',
  answer: 'planted-answer',
  edited: 'planted-edited',
};
const everySecret = /planted-[a-z-]+/g;

const status = {
  durability: 'durable',
  persisted: 'unknown',
  sender: 'page',
  protected: false,
  backgroundSync: false,
  limits: [],
} as const;

it('nothing of a body, a credential, an answer or a key is in any log, broadcast, snapshot, event, figure or hook', async () => {
  const hooks: unknown[] = [];
  const answers = [503, 500, 422, 201].map((code) => ({
    status: code,
    body: { title: 'No', detail: planted.answer },
    headers: { 'content-type': 'application/problem+json', 'set-cookie': planted.cookie },
  }));
  const hear = (entry: unknown): void => void hooks.push(entry);
  const made = rig({
    config: {
      routes: [{ name: 'api', match: '/*', lane: null }],
      onDead: hear,
      onTriage: hear,
      alreadyDone: (entry) => {
        hear(entry);
        return false;
      },
    },
    server: answers,
  });
  const { fetch, add, engine, context, system, network, store, transport, logs, events: told, all } = made;
  const broadcasts: unknown[] = [];
  const other = network.context({ store, transport, system });
  other.channel.subscribe((message) => broadcasts.push(message));
  const feed = createFeed(context, () => status);
  const snapshots: unknown[] = [];
  feed.subscribe((snapshot) => snapshots.push(snapshot));
  const events: unknown[] = [];
  createEvents(context, feed).on((event) => events.push(event));
  const reader = createReader(context);

  const init = {
    body: JSON.stringify({ phone: planted.body }),
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${planted.token}`,
      'x-csrf-token': planted.forgery,
      'x-api-key': planted.apiKey,
    },
  };
  await fetch('/a', init);
  const second = await add('/b', init);
  const third = await add('/c', init);
  await cancel(context, third.id);
  for (let look = 0; look < 4; look += 1) {
    void engine.drain.wake('person');
    await system.passMs(60_000);
    feed.changed(
      look,
      (await all()).map(({ id }) => id),
    );
    await system.passMs(1_000);
  }
  const dead = (await all()).find(({ dead }) => dead?.reason === 'rejected');
  await claimDead(context, dead?.id ?? '', 'Ann');
  await edit(context, dead?.id ?? '', { body: { body: new TextEncoder().encode(planted.edited) } });
  await replay(context, dead?.id ?? '');
  await cancel(context, second.id).catch(() => undefined);
  await engine.drain.wake('person');
  await system.passMs(60_000);
  await closeDead(context, third.id, 'not wanted');
  await feed.refresh();

  const stored = JSON.stringify(await all());
  for (const secret of [planted.token, planted.forgery, planted.apiKey]) expect(stored).toContain(secret);
  const keys = (await all()).map(({ key }) => key);
  // What the app itself asked of its own tab (`tell`) is entries; all that goes further is views.
  const shown = { logs, broadcasts, snapshots, events, hooks, stats: await reader.stats(), list: await reader.list() };
  for (const [where, what] of Object.entries(shown)) {
    const text = JSON.stringify(what);
    expect([where, text.match(everySecret)]).toEqual([where, null]);
    expect([where, keys.filter((key) => text.includes(key))]).toEqual([where, []]);
    expect([where, text.length > 100]).toEqual([where, true]);
  }
  expect(told.length).toBeGreaterThan(3);
  feed.close();
});

it('content shows a body to who asks for it, and credentials only to who insists; so does an export', async () => {
  const { add, context } = rig({ server: [] });
  const { id } = await add('/a', {
    body: planted.body,
    headers: {
      authorization: planted.token,
      'x-csrf-token': planted.forgery,
      'X-Access-Token': planted.cookie,
      'x-kind': 'plain',
    },
  });
  const reader = createReader(context);
  const shy = await reader.content(id);
  const bold = await reader.content(id, true);
  expect(await shy?.body?.text()).toBe(planted.body);
  expect(JSON.stringify(shy?.headers)).toContain('plain');
  expect(JSON.stringify(shy?.headers)).not.toMatch(everySecret);
  expect(new Map(bold?.headers).get('authorization')).toBe(planted.token);

  expect(JSON.stringify(await exportEntries(context))).not.toMatch(everySecret);
  expect(JSON.stringify(await exportEntries(context, {}, true))).toContain(planted.token);
});
