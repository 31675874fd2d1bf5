import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idempotent, memoryStore, type Store } from '../packages/holdfast-server/src/index';
import { nodeListener } from '../packages/holdfast-server/src/node';
import { classify, type Verdict } from '../packages/holdfast/src/core/classify';

/**
 * The two halves import nothing of each other; what they keep is written in `docs/wire.md`. Here the client's own
 * classifier judges what the server's own guard says over a real connection.
 */
describe('what the server says and what the client makes of it', () => {
  let now = 1_790_000_000_000;
  let server: Server;
  let base: string;
  let storeDown = false;
  let release: (() => void) | undefined;
  const inner = memoryStore({ clock: () => now });
  const store = new Proxy(inner, {
    get: (target, name: keyof Store) =>
      storeDown ? () => Promise.reject(new Error('down')) : (target[name] as (...args: unknown[]) => unknown),
  });

  beforeAll(async () => {
    const handler = async (request: Request): Promise<Response> => {
      const { pathname } = new URL(request.url);
      if (pathname === '/slow') await new Promise<void>((resolve) => (release = resolve));
      if (pathname === '/lost') await new Promise<void>(() => undefined);
      return Response.json({ ok: true }, { status: 201 });
    };
    const listener = nodeListener(
      idempotent(handler, {
        store,
        principal: () => 'ann',
        required: true,
        retentionMs: 86_400_000,
        maxBodyBytes: 1_000,
      }),
    );
    server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(async () => {
    release?.();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const post = (path: string, key: string | null, body = '{}'): Promise<Response> =>
    fetch(base + path, { method: 'POST', body, headers: key === null ? {} : { 'idempotency-key': key } });

  /** What the client's rules say of an answer, when an earlier attempt's outcome is not known. */
  async function judge(path: string, answer: Response): Promise<Verdict> {
    const contentType = answer.headers.get('content-type');
    const isProblem = contentType === 'application/problem+json';
    const problemType = isProblem ? ((await answer.json()) as { type: string }).type : undefined;
    return classify({
      kind: 'answer',
      status: answer.status,
      type: 'basic',
      url: base + path,
      redirected: false,
      requestMethod: 'POST',
      requestUrl: base + path,
      requestAccept: 'application/json',
      contentType,
      ...(problemType !== undefined && { problemType }),
      outcomeBefore: 'unknown',
      connectivity: 'online',
    });
  }

  /** Until a request that was sent has been claimed by the server. */
  async function claimed(count: number): Promise<void> {
    while ((await inner.stats()).running < count) await new Promise((resolve) => setImmediate(resolve));
  }

  it('a first answer and its replay are delivered', async () => {
    expect(await judge('/orders', await post('/orders', '"done"'))).toMatchObject({
      class: 'delivered',
      final: 'deliver',
    });
    const replay = await post('/orders', '"done"');
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    expect(await judge('/orders', replay)).toMatchObject({ class: 'delivered', final: 'deliver' });
  });

  it('a request that is still running is sent again soon, and costs no budget', async () => {
    const first = post('/slow', '"slow"');
    await claimed(1);
    const verdict = await judge('/slow', await post('/slow', '"slow"'));
    expect(verdict).toMatchObject({ class: 'in-progress', final: 'retry', pausesOrigin: false });
    release?.();
    await first;
  });

  it('a store that is down is an overload: the origin is paused and the request sent again', async () => {
    storeDown = true;
    const answer = await post('/orders', '"down"');
    storeDown = false;
    expect(answer.headers.get('retry-after')).not.toBeNull();
    expect(await judge('/orders', answer)).toMatchObject({ class: 'overload', final: 'retry', pausesOrigin: true });
  });

  it('a wrong key, another payload and too large a body are final', async () => {
    for (const answer of [
      await post('/orders', null),
      await post('/orders', '"open'),
      await post('/orders', '"done"', '{"other":1}'),
      await post('/orders', '"large"', 'x'.repeat(1_001)),
    ]) {
      expect([answer.status, await judge('/orders', answer)]).toMatchObject([
        answer.status,
        { class: 'rejected', final: 'refuse', reason: 'rejected' },
      ]);
    }
  });

  it('an outcome the server does not know, and a key it has forgotten, are held for a person', async () => {
    void post('/lost', '"lost"').catch(() => undefined);
    await claimed(1);
    now += 30_000;
    expect(await judge('/lost', await post('/lost', '"lost"'))).toMatchObject({ final: 'refuse', reason: 'held' });
    now += 86_400_000;
    expect(await judge('/orders', await post('/orders', '"done"'))).toMatchObject({ final: 'refuse', reason: 'held' });
  });
});
