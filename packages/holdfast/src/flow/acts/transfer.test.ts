import { describe, expect, it } from 'vitest';
import type { Entry, Json } from '../../core/entry';
import { rig, type RigOptions } from '../../testing/rig';
import { pause } from './pause';
import { exportEntries, importEntries, type ExportFile } from './transfer';
import { claimDead } from './triage';

const config = {
  routes: [
    { name: 'docs', match: '/docs/:id', lane: 'doc-:id' },
    { name: 'api', match: '/*', lane: null },
  ],
  metered: { fromBytes: 20_000 },
};
const made = (options: RigOptions = {}) => rig({ config, ...options });
const plain = (file: ExportFile): Json => JSON.parse(JSON.stringify(file)) as Json;
const paths = (file: ExportFile): string[] => file.entries.map(({ entry }) => new URL(entry.request.url).pathname);

/** One delivered, one refused, one on its way, one waiting. */
async function oneOfEach() {
  const rigged = made({
    server: ({ url }) =>
      url.endsWith('slow') ? { status: 201, afterMs: 60_000 } : { status: url.endsWith('bad') ? 422 : 201 },
  });
  for (const path of ['/good', '/docs/bad', '/slow']) await rigged.add(path);
  void rigged.engine.drain.wake('start');
  await rigged.system.passMs(1_000);
  await rigged.add('/docs/waiting', {}, { notBefore: rigged.system.now() + 3_600_000 });
  return rigged;
}

/** A file of one request, and where it is taken in. */
async function fileOf(init: RequestInit = {}, path = '/docs/a', options: RigOptions = {}) {
  const from = made(options);
  await from.add(path, { body: 'bytes', ...init });
  return { from, file: await exportEntries(from.context) };
}

/** The file with its only entry changed. */
function changed(file: ExportFile, patch: object, around: object = {}): Json {
  return plain({
    ...file,
    entries: file.entries.map((one) => ({ ...one, ...around, entry: { ...one.entry, ...patch } })),
  });
}

describe('an export', () => {
  it.each([
    ['has everything but what was delivered', {}, ['/docs/waiting', '/slow', '/docs/bad']],
    ['has what was delivered when asked for it', { state: 'delivered' as const }, ['/good']],
    ['has one state when asked for it', { state: 'dead' as const }, ['/docs/bad']],
    ['has one route', { route: 'api' }, ['/slow']],
    ['has one lane', { lane: 'doc-bad' }, ['/docs/bad']],
    ['has what is in no lane', { lane: null }, ['/slow']],
  ])('%s', async (_, filter, wanted) => {
    const { context } = await oneOfEach();
    const file = await exportEntries(context, filter);
    expect(file).toMatchObject({ format: 'holdfast-export', version: 1 });
    expect(paths(file)).toEqual(wanted);
  });

  it('has those that are named', async () => {
    const { context, all } = await oneOfEach();
    const { id } = (await all())[1]!;
    expect(paths(await exportEntries(context, { ids: [id] }))).toEqual(['/docs/bad']);
  });

  it('has nothing of anybody else', async () => {
    let who = 'ann';
    const { add, context } = made({ subject: () => who });
    await add('/a');
    who = 'bob';
    expect(await exportEntries(context)).toMatchObject({ entries: [] });
  });

  it.each([
    ['no', false],
    ['all', true],
  ])('has %s credentials, and all other headers', async (_, secrets) => {
    const { add, context } = made();
    await add('/a', { headers: { authorization: 'Bearer x', 'x-own': 'mine' } });
    const file = await exportEntries(context, {}, secrets);
    const names = file.entries[0]!.entry.request.headers.map(([name]) => name);
    expect(names.includes('authorization')).toBe(secrets);
    expect(names).toContain('x-own');
  });

  it.each([
    ['in the row', 5],
    ['beside it', 9_000],
    ['as a Blob', 200_000],
  ])('has the whole body of one whose bytes lie %s, once and as text', async (_, size) => {
    const { add, context } = made();
    const bytes = Uint8Array.from({ length: size }, (_byte, nth) => nth % 256);
    await add('/a', { body: bytes });
    const [one] = (await exportEntries(context)).entries;
    expect(Buffer.from(one!.body!, 'base64').equals(bytes)).toBe(true);
    expect(one?.entry.body).toMatchObject({ size });
    expect(one?.entry.body).not.toHaveProperty('bytes');
    expect(one).not.toHaveProperty('unreadable');
  });

  it('opens what is encrypted, and says how large it is inside', async () => {
    const { add, context } = made({ config: { ...config, encrypt: true } });
    await add('/a', { body: 'bytes', headers: { 'x-own': 'mine' } });
    const [one] = (await exportEntries(context)).entries;
    expect(atob(one!.body!)).toBe('bytes');
    expect(one?.entry.body).toEqual({ kind: 'inline', size: 5, type: 'text/plain;charset=UTF-8' });
    expect(one?.entry.request.headers).toContainEqual(['x-own', 'mine']);
  });
});

describe('an import', () => {
  it('sends what waited, the same request under the same key, and only once', async () => {
    const { from, file } = await fileOf();
    const to = made();
    expect(await importEntries(to.context, plain(file))).toEqual({ added: 1, known: 0 });
    expect(await importEntries(to.context, plain(file))).toEqual({ added: 0, known: 1 });
    await from.engine.drain.wake('start');
    await to.engine.drain.wake('start');
    expect(to.transport.sent).toHaveLength(1);
    expect(to.transport.sent).toEqual(from.transport.sent);
  });

  it('knows one by its id, too', async () => {
    const { from, file } = await fileOf();
    expect(await importEntries(from.context, changed(file, { key: 'another' }))).toEqual({ added: 0, known: 1 });
  });

  it('puts what waited at the end of its lane', async () => {
    const { file } = await fileOf();
    const to = made({ seed: 2 });
    await to.add('/docs/a');
    await importEntries(to.context, plain(file));
    expect(await to.all()).toMatchObject([
      { seq: 1, head: true },
      { seq: 2, head: false },
    ]);
  });

  it('belongs to whoever takes it in, and starts as a row of this outbox', async () => {
    const { file } = await fileOf();
    const to = made({ subject: () => 'bob' });
    const foreign = {
      seq: 77,
      revision: 9,
      children: ['x'],
      waitsFor: ['x'],
      bulky: true,
      subject: 'ann',
      parkedUntil: 9,
    };
    await importEntries(to.context, changed(file, { ...foreign, lease: { owner: 'x', token: 1, until: 1 } }));
    const [row] = await to.all();
    expect(row).toMatchObject({ v: 1, seq: 1, revision: 1, subject: 'bob', state: 'pending', head: true });
    for (const name of ['children', 'waitsFor', 'bulky', 'lease', 'dead', 'parkedUntil'])
      expect(row).not.toHaveProperty(name);
  });

  it('takes what was on its way for one that may have arrived', async () => {
    const from = await oneOfEach();
    const to = made({ seed: 2 });
    await importEntries(to.context, plain(await exportEntries(from.context, { state: 'sending' })));
    expect(await to.all()).toMatchObject([{ state: 'pending', outcome: 'unknown' }]);
  });

  it.each(['never-sent', 'answered'])('remembers of one that waited that it was %s', async (outcome) => {
    const { file } = await fileOf();
    const to = made();
    await importEntries(to.context, changed(file, { outcome }));
    expect(await to.all()).toMatchObject([{ outcome }]);
  });

  it('remembers of one on its way that it had been answered before', async () => {
    const { file } = await fileOf();
    const to = made();
    await importEntries(to.context, changed(file, { state: 'sending', outcome: 'answered' }));
    expect(await to.all()).toMatchObject([{ state: 'pending', outcome: 'answered' }]);
  });

  it('leaves the dead among the dead, out of their lane, in whose hands they were', async () => {
    const from = await oneOfEach();
    const { id } = (await from.all())[1]!;
    await claimDead(from.context, id, 'ann');
    const to = made({ seed: 2 });
    await importEntries(to.context, plain(await exportEntries(from.context, { state: 'dead' })));
    expect(await to.all()).toMatchObject([
      { id, state: 'dead', head: false, dead: { reason: 'rejected', triage: 'claimed', assignee: 'ann' } },
    ]);
    await to.engine.drain.wake('start');
    expect(to.transport.sent).toEqual([]);
  });

  it('never sends one without the body it had: it is dead, with the reason', async () => {
    const { file } = await fileOf();
    const to = made();
    await importEntries(to.context, changed(file, {}, { body: undefined }));
    const now = to.system.now();
    expect(await to.all()).toMatchObject([
      { state: 'dead', head: false, finishedAt: now, dead: { reason: 'unreadable', at: now, triage: 'open' } },
    ]);
  });

  it.each<[string, RequestInit]>([
    ['no body', { body: null }],
    ['an empty body', { body: '' }],
  ])('misses nothing of a request with %s', async (_, init) => {
    const { file } = await fileOf(init);
    const to = made();
    await importEntries(to.context, plain(file));
    await to.engine.drain.wake('start');
    expect(await to.all()).toMatchObject([{ state: 'delivered' }]);
    expect(to.transport.sent[0]?.body ?? new Uint8Array()).toHaveLength(0);
  });

  it('keeps a large body beside its row, and says that it is large', async () => {
    const { file } = await fileOf({ body: 'x'.repeat(20_000) });
    const to = made();
    await importEntries(to.context, plain(file));
    expect(await to.all()).toMatchObject([{ bulky: true, body: { kind: 'apart', size: 20_000 } }]);
    await to.engine.drain.wake('start');
    expect(to.transport.sent[0]?.body).toHaveLength(20_000);
  });

  it('is due at once, though it was made on a clock far ahead, and not before its time', async () => {
    const { from, file } = await fileOf();
    const to = made();
    const late = from.system.now() + 3_600_000;
    await importEntries(to.context, changed(file, { dueAt: late }));
    expect((await to.all())[0]?.dueAt).toBe(from.system.now());
    const again = made();
    await importEntries(again.context, changed(file, { dueAt: 5 }));
    expect((await again.all())[0]?.dueAt).toBe(5);
  });

  it('is told to the other tabs, and is held by a pause that holds here', async () => {
    const { file } = await fileOf();
    const to = made();
    const heard: unknown[] = [];
    to.tab().context.channel.subscribe((message) => heard.push(message));
    await pause(to.context);
    await importEntries(to.context, plain(file));
    await to.engine.drain.wake('start');
    expect(to.transport.sent).toEqual([]);
    expect(heard).toContainEqual(expect.objectContaining({ type: 'changed', ids: [file.entries[0]!.entry.id] }));
  });

  it('of what was encrypted is sealed anew where it is taken in', async () => {
    const { file } = await fileOf({ headers: { 'x-own': 'mine' } });
    const to = made({ config: { ...config, encrypt: true } });
    await importEntries(to.context, plain(file));
    expect(await to.all()).toMatchObject([{ request: { headers: [] }, body: { sealed: { size: 5 } } }]);
    await to.engine.drain.wake('start');
    expect(to.transport.sent[0]?.headers).toContainEqual(['x-own', 'mine']);
  });
});

describe('a file that is refused', () => {
  const without = (name: keyof Entry) => ({ [name]: undefined });
  it.each<[string, (file: ExportFile) => unknown]>([
    ['nothing', () => null],
    ['text', () => 'holdfast-export'],
    ['of another format', (file) => ({ ...file, format: 'other' })],
    ['of another version', (file) => ({ ...file, version: 2 })],
    ['without a list', (file) => ({ ...file, entries: {} })],
    ['with an empty place', (file) => ({ ...file, entries: [...file.entries, null] })],
    ['with text for an entry', (file) => ({ ...file, entries: [{ entry: 'text' }] })],
    ['without a key', (file) => changed(file, without('key'))],
    ['without an id', (file) => changed(file, without('id'))],
    ['without a route', (file) => changed(file, without('route'))],
    ['without a request', (file) => changed(file, without('request'))],
    ['without a URL', (file) => changed(file, { request: { method: 'POST', headers: [] } })],
    ['without a method', (file) => changed(file, { request: { url: 'https://x.example', headers: [] } })],
    ['without headers', (file) => changed(file, { request: { url: 'https://x.example', method: 'POST' } })],
    ['with one that was delivered', (file) => changed(file, { state: 'delivered' })],
    ['without a body’s measures', (file) => changed(file, without('body'))],
    ['with what no browser could make', (file) => changed(file, { request: { url: '/', method: 'GET', headers: [] } })],
  ])('%s: nothing of it is taken in', async (_, make) => {
    const { file } = await fileOf();
    const to = made({ seed: 2 });
    await expect(importEntries(to.context, make(file) as Json)).rejects.toMatchObject({ code: 'bad-message' });
    expect(await to.all()).toEqual([]);
  });

  it('says why it can never be sent', async () => {
    const { file } = await fileOf();
    const wrong = changed(file, { request: { url: '/', method: 'GET', headers: [] } });
    await expect(importEntries(made().context, wrong)).rejects.toThrow(/no browser makes this request/);
  });

  it('takes one without a body to a method that has none', async () => {
    const { file } = await fileOf({ body: null });
    const { request } = file.entries[0]!.entry;
    const to = made();
    await importEntries(to.context, changed(file, { request: { ...request, method: 'GET' } }));
    expect(await to.all()).toHaveLength(1);
  });
});
