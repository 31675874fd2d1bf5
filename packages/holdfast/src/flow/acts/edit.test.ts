import { describe, expect, it } from 'vitest';
import type { Entry } from '../../core/entry';
import { headerOf } from '../../core/header-pairs';
import { rig, type RigOptions } from '../../testing/rig';
import { cancel } from './cancel';
import { edit, type Edit } from './edit';

const bytes = (text: string) => new TextEncoder().encode(text);
const large = 'x'.repeat(9_000);

/** One request, waiting or refused by the server, and what is told of it. */
async function kept(server?: RigOptions['server'], init: RequestInit = { body: 'old' }, encrypt = false) {
  const routes = [{ name: 'api', match: '/*', methods: ['GET', 'POST'] }];
  const made = rig({ ...(server && { server }), config: { encrypt, routes, metered: { fromBytes: 20_000 } } });
  const { context, store, engine, system, add } = made;
  const { id } = await add('/a', { ...init, headers: { 'x-own': 'mine', ...init.headers } });
  if (server) {
    void engine.drain.wake('start');
    await system.passMs(1_000);
  }
  return {
    ...made,
    id,
    now: async (): Promise<Entry> => (await made.all())[0]!,
    apart: () => store.transact('read', async (rows) => (await rows.body(1)) ?? null),
    change: (change: Edit, revision?: number) => edit(context, id, change, revision),
    async sent() {
      await engine.drain.wake('person');
      await system.passMs(3_600_000);
      const { body, ...request } = made.transport.sent.at(-1)!;
      return { ...request, body: body instanceof Uint8Array ? new TextDecoder().decode(body) : body };
    },
  };
}

describe('an edit', () => {
  it('changes what it names, leaves the rest and the key, and is told', async () => {
    const { change, now, events, logs, id, sent } = await kept();
    const before = await now();
    const changed = await change({ method: 'PUT', url: 'https://app.example/b' });
    expect(changed).toMatchObject({ id, key: before.key, outcome: 'never-sent', revision: before.revision + 1 });
    expect(changed.request).toEqual({ ...before.request, method: 'PUT', url: 'https://app.example/b' });
    expect(changed.body).toEqual(before.body);
    expect(events.at(-1)).toEqual({ type: 'changed', entry: changed });
    expect(logs.at(-1)).toMatchObject({ event: 'edit', id, route: 'api' });
    expect(await sent()).toMatchObject({ method: 'PUT', url: 'https://app.example/b', body: 'old' });
  });

  it.each([
    ['stays of its type when none is given', undefined, 'text/plain;charset=UTF-8'],
    ['is of the type that is given', 'application/json', 'application/json'],
    ['loses its type when that is empty', '', null],
  ])('of a body: it %s, and all other headers stay', async (_, type, wanted) => {
    const { change, sent } = await kept();
    await change({ body: { body: bytes('{}'), ...(type !== undefined && { type }) } });
    const { headers, body } = await sent();
    expect(body).toBe('{}');
    expect(headerOf(headers, 'content-type')).toBe(wanted);
    expect(headerOf(headers, 'x-own')).toBe('mine');
  });

  it('of the headers takes the whole list, also beside a body with a type', async () => {
    const { change, now } = await kept();
    await change({ headers: [['x-new', '1']], body: { body: bytes('{}'), type: 'application/json' } });
    expect((await now()).request.headers).toEqual([['x-new', '1']]);
  });

  it('can take the body away', async () => {
    const { change, sent, now } = await kept();
    await change({ body: { body: null } });
    expect((await now()).body).toMatchObject({ kind: 'none', size: 0 });
    expect((await sent()).body).toBeNull();
  });

  it('keeps the bytes of one body and no other, whether they lie in the row or beside it', async () => {
    const { change, apart, now } = await kept();
    await change({ body: { body: bytes(large) } });
    expect((await now()).body).toMatchObject({ kind: 'apart', size: 9_000 });
    expect(await apart()).toHaveLength(9_000);
    await change({ body: { body: bytes('small') } });
    expect((await now()).body).toMatchObject({ kind: 'inline', bytes: bytes('small') });
    expect(await apart()).toBeNull();
  });

  it('leaves a body that lies beside its row where it is when it is not about it', async () => {
    const { change, apart, sent } = await kept(undefined, { body: large });
    await change({ url: 'https://app.example/b' });
    expect(await apart()).toHaveLength(9_000);
    expect((await sent()).body).toBe(large);
  });

  it('notes how large it is now, for metered connections', async () => {
    const { change, now } = await kept();
    await change({ body: { body: new Blob(['x'.repeat(20_000)]) } });
    expect((await now()).bulky).toBe(true);
    await change({ body: { body: bytes('small') } });
    expect(await now()).not.toHaveProperty('bulky');
  });

  it.each<[string, Edit]>([
    ['nothing', {}],
    ['only what is absent', { method: undefined, body: undefined }],
  ])('of %s changes nothing and tells nobody', async (_, change) => {
    const { change: act, now, events } = await kept();
    const [before, told] = [await now(), events.length];
    expect(await act(change)).toEqual(before);
    expect(await now()).toEqual(before);
    expect(events).toHaveLength(told);
  });

  it.each<[string, RequestInit, Edit]>([
    ['made GET while it has a body', { body: 'old' }, { method: 'GET' }],
    ['given a Blob while it is a GET', { method: 'GET' }, { body: { body: new Blob(['x']) } }],
    ['given bytes while it is a GET', { method: 'GET' }, { body: { body: bytes('x') } }],
  ])('no browser could make is refused: %s', async (_, init, change) => {
    const { change: act, now } = await kept(undefined, init);
    const before = await now();
    await expect(act(change)).rejects.toMatchObject({ code: 'not-storable' });
    expect(await now()).toEqual(before);
  });

  it('may make it a GET when that takes its body away', async () => {
    const { change } = await kept();
    expect(await change({ method: 'GET', body: { body: null } })).toMatchObject({ request: { method: 'GET' } });
  });
});

describe('who may edit', () => {
  it('whoever saw it as it is', async () => {
    const { change, now } = await kept();
    const { revision } = await now();
    await change({ method: 'PUT' }, revision);
    await expect(change({ method: 'PATCH' }, revision)).rejects.toMatchObject({ code: 'changed-meanwhile' });
    expect((await now()).request.method).toBe('PUT');
  });

  it('not who is overtaken while the change is laid out', async () => {
    const { change, context, id, now } = await kept();
    const { prepareBody } = context;
    Object.assign(context, {
      prepareBody: async (...body: Parameters<typeof prepareBody>) => {
        await cancel(context, id);
        return prepareBody(...body);
      },
    });
    await expect(change({ body: { body: bytes('x') } })).rejects.toMatchObject({ code: 'changed-meanwhile' });
    expect((await now()).body).toMatchObject({ bytes: bytes('old') });
  });

  it('nobody else', async () => {
    let who = 'ann';
    const { add, context } = rig({ subject: () => who });
    const { id } = await add('/a');
    expect(await edit(context, id, { method: 'PATCH' })).toMatchObject({ subject: 'ann' });
    who = 'bob';
    await expect(edit(context, id, { method: 'PUT' })).rejects.toMatchObject({ code: 'not-found' });
  });

  it.each([
    ['is on its way', () => ({ status: 201, afterMs: 10_000 }), 'illegal-move'],
    ['was delivered', () => ({ status: 204 }), 'illegal-move'],
    ['may have arrived as it was', () => ({ fail: 'network' as const }), 'outcome-unknown'],
  ])('nobody while it %s', async (_, server, code) => {
    const { change, now } = await kept(server);
    const before = await now();
    await expect(change({ method: 'PUT' })).rejects.toMatchObject({ code });
    expect(await now()).toEqual(before);
  });
});

describe('the key of what is edited', () => {
  it('is new after an answer: to the server it is another intent, of which nothing was sent yet', async () => {
    const { change, now } = await kept([{ status: 422 }]);
    const before = await now();
    expect(before).toMatchObject({ state: 'dead', outcome: 'answered' });
    const changed = await change({ body: { body: bytes('right') } });
    expect(changed.key).not.toBe(before.key);
    expect(changed).toMatchObject({ state: 'dead', outcome: 'never-sent' });
    expect(headerOf(changed.request.headers, 'idempotency-key')).toBeNull();
  });

  it('forgets since when it was unknown whether the old one had arrived', async () => {
    const { change, context, id, now } = await kept([{ fail: 'network' }]);
    await cancel(context, id, { evenIfUnknown: true });
    expect(await now()).toHaveProperty('firstUnknownAt');
    expect(await change({ method: 'PUT' })).not.toHaveProperty('firstUnknownAt');
  });

  it('takes the place of one the app set itself among the headers', async () => {
    const { change } = await kept([{ status: 422 }], { headers: { 'idempotency-key': '"own"' } });
    const { key, request } = await change({ method: 'PUT' });
    expect(key).not.toBe('own');
    expect(headerOf(request.headers, 'idempotency-key')).toBe(`"${key}"`);
    expect(headerOf(request.headers, 'x-own')).toBe('mine');
  });
});

describe('an edit of what is encrypted', () => {
  it('keeps the sealed headers and body that it does not name', async () => {
    const { change, now, sent } = await kept(undefined, { body: 'old' }, true);
    await change({ method: 'PUT' });
    expect((await now()).request.headers).toEqual([]);
    expect((await now()).body.sealed).toEqual({ size: 3 });
    const { method, headers, body } = await sent();
    expect([method, headerOf(headers, 'x-own'), body]).toEqual(['PUT', 'mine', 'old']);
  });

  it('keeps the sealed headers beside a new body', async () => {
    const { change, sent } = await kept(undefined, { body: 'old' }, true);
    await change({ body: { body: bytes('new') } });
    const { headers, body } = await sent();
    expect([headerOf(headers, 'x-own'), body]).toEqual(['mine', 'new']);
  });

  it('leaves what lies open where it is, in a build that seals nothing', async () => {
    const { change, context, now } = await kept();
    Object.assign(context, { loadBody: () => expect.unreachable() });
    await change({ method: 'PUT' });
    expect((await now()).body).not.toHaveProperty('sealed');
  });

  it('needs the key, whatever it is about', async () => {
    const { change, context, now } = await kept(undefined, { body: 'old' }, true);
    const before = await now();
    Object.assign(context, { vault: undefined });
    await expect(change({ body: { body: bytes('new') } })).rejects.toMatchObject({ code: 'unreadable' });
    expect(await now()).toEqual(before);
  });

  it('seals what it brings, and measures what is inside', async () => {
    const { change, now, sent } = await kept(undefined, { body: 'old' }, true);
    await change({ headers: [['x-new', '1']], body: { body: bytes('y'.repeat(20_000)), type: 'text/plain' } });
    expect(await now()).toMatchObject({ bulky: true, body: { sealed: { size: 20_000 }, type: 'text/plain' } });
    const { headers, body } = await sent();
    expect([headerOf(headers, 'x-new'), body]).toEqual(['1', 'y'.repeat(20_000)]);
  });

  it('asks whether a browser could make it with the body that is inside', async () => {
    const { change } = await kept(undefined, { method: 'GET' }, true);
    expect(await change({ url: 'https://app.example/b' })).toMatchObject({ request: { method: 'GET' } });
    const other = await kept(undefined, { body: 'old' }, true);
    await expect(other.change({ method: 'GET' })).rejects.toMatchObject({ code: 'not-storable' });
  });
});
