import 'fake-indexeddb/auto';
import { QueueStore as SerwistQueueStore } from '@serwist/background-sync';
import { QueueStore } from 'workbox-background-sync/lib/QueueStore.js';
import { afterEach, describe, expect, it } from 'vitest';
import { contextLock } from '../../browser/web-lock';
import type { Entry } from '../../core/entry';
import type { Context } from '../../flow/context';
import { rig, type Rig } from '../../testing/rig';
import { extrasOf } from '../extras';
import { queueConfig } from '../queue-config';
import { moveQueues, type Heir } from './move-queues';
import { openOldDatabase } from './old-database';
import { closeAll, databaseNames, leave, minute, post, removeOldDatabases } from './old-rows.fixture';

const heirs: readonly Heir[] = [{ name: 'api', retentionMs: 60 * minute }];
const at = (entry: Entry): string => entry.request.url;
const context = (world: Rig): Context => ({
  ...world.context,
  config: queueConfig({ log: (record) => void world.logs.push(record) }, () => false),
  lock: contextLock(),
});

afterEach(removeOldDatabases);

describe('what Workbox left', () => {
  it('is moved oldest first, by id, also from 0 and below', async () => {
    const world = rig();
    const now = world.system.now();
    await leave([
      { ...post('https://app.example/3', now), id: 7 },
      { ...post('https://app.example/1', now), id: -2 },
      { ...post('https://app.example/2', now), id: 0 },
    ]);
    expect(await moveQueues(context(world), heirs, openOldDatabase)).toEqual(['api']);
    const all = await world.all();
    expect(all.map(at)).toEqual([1, 2, 3].map((n) => `https://app.example/${n}`));
    expect(all).toMatchObject(
      [{ head: true }, { head: false }, { head: false }].map((row) => ({ ...row, lane: 'api' })),
    );
    expect(await databaseNames()).not.toContain('workbox-background-sync');
  });

  it('is marked: nobody knows what became of its earlier attempts, and its time runs from when it was made', async () => {
    const world = rig();
    const made = world.system.now() - 10 * minute;
    const store = new QueueStore('api');
    await store.pushEntry({ ...post('https://app.example/a', made), metadata: { draft: 4 } });
    closeAll(store);
    await moveQueues(context(world), heirs, openOldDatabase);
    const [entry] = await world.all();
    expect(entry).toMatchObject({
      state: 'pending',
      outcome: 'unknown',
      tries: 0,
      createdAt: made,
      expiresAt: made + 60 * minute,
      dueAt: world.system.now(),
      meta: { draft: 4 },
      body: { kind: 'inline', size: 7, type: 'application/json' },
    });
    expect(extrasOf(entry!)).toEqual({ metadata: { draft: 4 }, movedFrom: 'workbox-background-sync' });
    expect(entry!.firstUnknownAt).toBeUndefined();
  });

  it('with HEAD or DELETE and an empty body can be sent, which Workbox could not do', async () => {
    const world = rig();
    const empty = { body: new ArrayBuffer(0), headers: {} };
    await leave([
      { requestData: { url: 'https://app.example/h', method: 'HEAD', ...empty }, timestamp: world.system.now() },
      { requestData: { url: 'https://app.example/d', method: 'DELETE', ...empty }, timestamp: world.system.now() },
    ]);
    await moveQueues(context(world), heirs, openOldDatabase);
    expect((await world.all()).map((entry) => [entry.state, entry.request.method, entry.body.kind])).toEqual([
      ['pending', 'HEAD', 'none'],
      ['pending', 'DELETE', 'none'],
    ]);
  });

  it('keeps a multipart body byte for byte, and its boundary', async () => {
    const world = rig();
    const form = new FormData();
    form.append('photo', new Blob([new Uint8Array(9_000).fill(7)], { type: 'image/png' }), 'p.png');
    const request = new Request('https://app.example/photo', { method: 'POST', body: form });
    const type = request.headers.get('content-type')!;
    const body = await request.arrayBuffer();
    const requestData = { url: request.url, method: 'POST', headers: { 'content-type': type }, body };
    await leave([{ requestData, timestamp: world.system.now() }]);
    await moveQueues(context(world), heirs, openOldDatabase);
    const [entry] = await world.all();
    expect(entry).toMatchObject({ body: { kind: 'apart', type, size: body.byteLength } });
    expect(await world.context.loadBody(entry!)).toEqual(new Uint8Array(body));
  });

  it('is listed among the dead when it has expired or cannot be read, and is not in the way', async () => {
    const world = rig();
    const now = world.system.now();
    await leave([
      post('https://app.example/old', now - 61 * minute),
      { requestData: { url: 'no url', method: 'POST', headers: { a: '1' }, body: new ArrayBuffer(3) }, timestamp: now },
      { requestData: { url: 'https://app.example/t', method: 'TRACE', headers: {} }, timestamp: now },
      { timestamp: now },
      post('https://app.example/good', now),
    ]);
    expect(await moveQueues(context(world), heirs, openOldDatabase)).toEqual(['api']);
    const all = await world.all();
    expect(all.map(({ state, dead }) => [state, dead?.reason])).toEqual([
      ['dead', 'expired'],
      ['dead', 'unreadable'],
      ['dead', 'unreadable'],
      ['dead', 'unreadable'],
      ['pending', undefined],
    ]);
    expect(all[0]).toMatchObject({ body: { size: 7 }, dead: { triage: 'open' } });
    expect(all[1]).toMatchObject({ request: { url: 'no url' }, body: { size: 3 }, raw: { queueName: 'api' } });
    expect(all[4]).toMatchObject({ head: true });
    expect(await databaseNames()).not.toContain('workbox-background-sync');
    expect(world.logs.filter((record) => record.event === 'dead' || record.event === 'expired')).toHaveLength(4);
  });

  it('under a name that this worker does not have stays: it may be another app’s', async () => {
    const world = rig();
    const now = world.system.now();
    await leave([post('https://app.example/theirs', now)], 'other');
    await leave([post('https://app.example/ours', now)]);
    await moveQueues(context(world), heirs, openOldDatabase);
    expect((await world.all()).map(at)).toEqual(['https://app.example/ours']);
    for (const [queue, size] of [
      ['other', 1],
      ['api', 0],
    ] as const) {
      const store = new QueueStore(queue);
      expect(await store.size()).toBe(size);
      closeAll(store);
    }

    await moveQueues(context(world), [...heirs, { name: 'other', retentionMs: 60 * minute }], openOldDatabase);
    expect((await world.all()).map(at)).toEqual(['https://app.example/ours', 'https://app.example/theirs']);
  });

  it('does not come into being by looking for it', async () => {
    const world = rig();
    expect(await moveQueues(context(world), heirs, openOldDatabase)).toEqual([]);
    expect(await databaseNames()).toEqual([]);
  });

  it('of an older layout is kept as it was found, not emptied as by Workbox’s own upgrade', async () => {
    const world = rig();
    const older = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('workbox-background-sync', 2);
      request.onupgradeneeded = () => request.result.createObjectStore('requests', { autoIncrement: true });
      request.onsuccess = () => resolve(request.result);
    });
    const tx = older.transaction('requests', 'readwrite');
    tx.objectStore('requests').add({ queueName: 'api', storableRequest: { url: 'https://app.example/v2' } });
    await new Promise((resolve) => (tx.oncomplete = resolve));
    older.close();
    await moveQueues(context(world), heirs, openOldDatabase);
    expect(await world.all()).toMatchObject([
      { state: 'dead', dead: { reason: 'unreadable' }, raw: { storableRequest: { url: 'https://app.example/v2' } } },
    ]);
  });

  it('may have one key twice: both go out with it', async () => {
    const world = rig();
    const keyed = (n: number) => {
      const { requestData, timestamp } = post(`https://app.example/${n}`, world.system.now());
      return { requestData: { ...requestData, headers: { 'idempotency-key': 'mine' } }, timestamp };
    };
    await leave([keyed(1), keyed(2)]);
    await moveQueues(context(world), heirs, openOldDatabase);
    const all = await world.all();
    expect(all.map((entry) => entry.request.headers)).toEqual([
      [['idempotency-key', 'mine']],
      [['idempotency-key', 'mine']],
    ]);
    expect(all[0]!.key).toBe('mine');
    expect(all[1]!.key).not.toBe('mine');
  });
});

describe('what Serwist left', () => {
  it('is moved like Workbox’s', async () => {
    const world = rig();
    const store = new SerwistQueueStore('api');
    await store.pushEntry(post('https://app.example/s', world.system.now()));
    closeAll(store);
    expect(await moveQueues(context(world), heirs, openOldDatabase)).toEqual(['api']);
    const [entry] = await world.all();
    expect(entry).toMatchObject({ state: 'pending', lane: 'api', request: { url: 'https://app.example/s' } });
    expect(extrasOf(entry!).movedFrom).toBe('serwist-background-sync');
    expect(await databaseNames()).not.toContain('serwist-background-sync');
  });
});
