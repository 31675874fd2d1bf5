import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { batchDoor as serverDoor } from '../packages/holdfast-server/src/batch';
import { idempotent, memoryStore } from '../packages/holdfast-server/src/index';
import { nodeListener } from '../packages/holdfast-server/src/node';
import { batchDoor } from '../packages/holdfast/src/batch/index';
import type { FakeAnswer } from '../packages/holdfast/src/testing/fake-transport';
import { rig } from '../packages/holdfast/src/testing/rig';
import type { Outgoing } from '../packages/holdfast/src/ports';

/**
 * Both halves of the batch door over a real connection: the client's whole flow against the server's own door and guard, as
 * `docs/wire.md` has it.
 */
describe('a drain through the batch door of a real server', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  /** A shop that keeps orders; `/orders/bad` is refused, `/orders/busy` is not to be had while `busy` says so. */
  async function shop() {
    const done: string[] = [];
    const calls: string[] = [];
    const state = { busy: false };
    const api = idempotent(
      async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === '/orders/bad') return Response.json({ wrong: 'sku' }, { status: 422 });
        if (pathname === '/orders/busy' && state.busy) return new Response(null, { status: 503 });
        done.push(`${pathname} ${await request.text()}`);
        return Response.json({ nth: done.length }, { status: 201 });
      },
      { store: memoryStore(), principal: () => 'ann' },
    );
    const door = serverDoor(api);
    const listener = nodeListener((request: Request) =>
      new URL(request.url).pathname === '/batch' ? door(request) : api(request),
    );
    const server = createServer((incoming, outgoing) => {
      calls.push(`${incoming.method} ${incoming.url}`);
      void listener(incoming, outgoing);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

    /** The connection: what the flow sends goes to the server, and the answer is lost on the way back if `lose` says so. */
    const line =
      (lose: () => boolean = () => false) =>
      async ({ method, url, headers, body }: Outgoing): Promise<FakeAnswer> => {
        const { pathname, search } = new URL(url);
        const response = await fetch(`${base}${pathname}${search}`, {
          method,
          headers: headers.map(([name, value]): [string, string] => [name, value]),
          body: body as BodyInit | null,
        });
        const text = await response.text();
        if (lose()) return { fail: 'network' };
        return { status: response.status, headers: Object.fromEntries(response.headers), body: text };
      };
    return { done, calls, state, line };
  }

  const config = { routes: [{ name: 'orders', match: '/orders/*', lane: 'orders', batch: batchDoor() }] };

  it('does each once, in order, in one call', async () => {
    const { done, calls, line } = await shop();
    const outbox = rig({ config, server: line() });
    for (const n of [1, 2, 3]) await outbox.add(`/orders/${n}`, { body: `order ${n}` });
    await outbox.engine.drain.wake('online');
    expect(calls).toEqual(['POST /batch']);
    expect(done).toEqual(['/orders/1 order 1', '/orders/2 order 2', '/orders/3 order 3']);
    const entries = await outbox.all();
    expect(entries.map(({ state, answer }) => [state, answer?.body])).toEqual(
      [1, 2, 3].map((nth) => ['delivered', `{"nth":${nth}}`]),
    );
  });

  it('does none twice when the answer of the call is lost, and tells that they were done already', async () => {
    const { done, line } = await shop();
    let lost = false;
    const outbox = rig({ config, server: line(() => !lost && (lost = true)) });
    for (const n of [1, 2, 3]) await outbox.add(`/orders/${n}`, { body: `order ${n}` });
    await outbox.engine.drain.wake('online');
    expect((await outbox.all()).map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown', 'unknown']);
    for (let waits = 0; waits < 5; waits += 1) {
      await outbox.system.passMs(120_000);
      await outbox.engine.drain.wake('online');
    }
    const entries = await outbox.all();
    expect(entries.map(({ state, answer }) => [state, answer?.replayed])).toEqual(Array(3).fill(['delivered', true]));
    expect(done).toHaveLength(3);
  });

  it('lets the refused one die, and holds back what stands behind one that must wait', async () => {
    const { done, state, line } = await shop();
    state.busy = true;
    const outbox = rig({ config, server: line() });
    for (const path of ['1', 'bad', '2', 'busy', '3']) await outbox.add(`/orders/${path}`, { body: path });
    await outbox.engine.drain.wake('online');
    const seen = (await outbox.all()).map((entry) => [entry.state, entry.outcome]);
    expect(seen).toEqual([
      ['delivered', 'answered'],
      ['dead', 'answered'],
      ['delivered', 'answered'],
      ['pending', 'unknown'],
      ['pending', 'never-sent'],
    ]);
    state.busy = false;
    for (let waits = 0; waits < 5; waits += 1) {
      await outbox.system.passMs(120_000);
      await outbox.engine.drain.wake('online');
    }
    expect(done).toEqual(['/orders/1 1', '/orders/2 2', '/orders/busy busy', '/orders/3 3']);
  });
});
