import { describe, expect, it } from 'vitest';
import type { OutboxConfig } from '../core/options';
import { headerOf } from '../core/header-pairs';
import type { Outgoing } from '../ports';
import { rig } from '../testing/rig';
import { edit } from './acts/edit';

const config: OutboxConfig = { routes: [{ name: 'docs', match: '/docs/:id', lane: 'docs', chainEtags: true }] };

/** A server that minds preconditions: each write of a document gives it another ETag. */
function documents() {
  const etags = new Map<string, string>();
  const etagOf = (url: string): string => etags.get(url) ?? '"a"';
  let made = 0;
  return {
    change: (url: string) => void etags.set(url, '"of another"'),
    answer({ url, headers }: Outgoing) {
      if (headerOf(headers, 'if-match') !== etagOf(url)) return { status: 412 };
      const etag = `"${(made += 1)}"`;
      etags.set(url, etag);
      return { status: 200, headers: { etag } };
    },
  };
}

const write = { method: 'PUT', headers: { 'if-match': '"a"' } };

describe('edits of one document made offline, all with the ETag of before', () => {
  it('do not conflict with each other: each has the ETag of the one before it', async () => {
    const { add, engine, system, all, transport } = rig({ config, server: documents().answer });
    for (const path of ['/docs/1', '/docs/2', '/docs/1', '/docs/1']) await add(path, write);
    void engine.drain.wake('start');
    await system.passMs(60_000);
    expect((await all()).map(({ state }) => state)).toEqual(Array.from({ length: 4 }, () => 'delivered'));
    expect(transport.sent.map(({ headers }) => headerOf(headers, 'if-match'))).toEqual(['"a"', '"a"', '"1"', '"3"']);
  });

  it('keep their order of ETags when the sender is another one after a restart', async () => {
    const server = documents();
    const { add, engine, tab, system, all } = rig({
      config,
      server: (request) => ({ ...server.answer(request), afterMs: 1_000 }),
    });
    for (let n = 0; n < 3; n += 1) await add('/docs/1', write);
    void engine.drain.wake('start');
    await system.passMs(500);
    const stopped = engine.drain.stop();
    await system.passMs(1_000);
    await stopped;
    expect((await all()).map(({ state }) => state)).toEqual(['delivered', 'pending', 'pending']);
    void tab().engine.drain.wake('start');
    await system.passMs(60_000);
    expect((await all()).map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
  });

  it('are a conflict where somebody else edited in between, never sent again blindly', async () => {
    const server = documents();
    const { add, engine, system, all, transport } = rig({ config, server: server.answer });
    await add('/docs/1', write);
    void engine.drain.wake('start');
    await system.passMs(1_000);
    await add('/docs/1', write, { notBefore: system.now() + 60_000 });
    await add('/docs/1', write);
    server.change('https://app.example/docs/1');
    void engine.drain.wake('person');
    await system.passMs(3_600_000);
    expect((await all()).filter(({ dead }) => dead?.reason === 'conflict')).toHaveLength(2);
    expect(transport.sent).toHaveLength(3);
  });

  it('conflict with each other where the route does not ask for it', async () => {
    const { add, engine, system, all } = rig({
      config: { routes: [{ name: 'docs', match: '/docs/:id', lane: 'docs' }] },
      server: documents().answer,
    });
    for (let n = 0; n < 2; n += 1) await add('/docs/1', write);
    void engine.drain.wake('start');
    await system.passMs(60_000);
    expect(await all()).toMatchObject([{ state: 'delivered' }, { state: 'dead', dead: { reason: 'conflict' } }]);
  });

  it('go out with the version the app names when it resolves a conflict', async () => {
    const server = documents();
    const { add, engine, system, transport } = rig({
      config: { ...config, resolveConflict: () => ({ headers: { 'If-Match': '"of another"' } }) },
      server(request, nth) {
        if (nth === 2) server.change(request.url);
        return server.answer(request);
      },
    });
    for (let n = 0; n < 2; n += 1) await add('/docs/1', write);
    void engine.drain.wake('start');
    await system.passMs(60_000);
    const versions = transport.sent.map(({ headers }) => headerOf(headers, 'if-match'));
    expect(versions).toEqual(['"a"', '"1"', '"of another"']);
  });

  it('go out with the version a person names who edits them', async () => {
    const { add, engine, system, transport, context } = rig({ config, server: documents().answer });
    await add('/docs/1', write);
    const { id } = await add('/docs/1', write, { notBefore: system.now() + 60_000 });
    await engine.drain.wake('start');
    expect(await edit(context, id, { method: 'PATCH' })).toMatchObject({ ifMatch: '"1"' });
    await edit(context, id, { headers: [['if-match', '"mine"']] });
    await system.passMs(120_000);
    expect(transport.sent.map(({ headers }) => headerOf(headers, 'if-match'))).toEqual(['"a"', '"mine"']);
  });
});
