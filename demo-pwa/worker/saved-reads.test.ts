import { describe, expect, it } from 'vitest';
import { answerRead, isKept, savedAtHeader, type ReadPorts } from './saved-reads';

const request = new Request('http://demo.test/api/notes');
const photo = new Request('http://demo.test/api/photos/p1');
const json = (body: string, status = 200): Response =>
  new Response(body, { status, headers: { 'content-type': 'application/json' } });

/** A cache with `saved` in it, a network that answers as told, and no patience left when `late`. */
function rig(saved: string | null, network: () => Promise<Response>, late = false) {
  const rows = new Map<string, Response>();
  if (saved !== null) for (const { url } of [request, photo]) rows.set(url, json(saved));
  const asked: string[] = [];
  const cache = {
    match: async ({ url }: Request) => rows.get(url)?.clone(),
    put: async ({ url }: Request, response: Response) => void rows.set(url, response),
  } as unknown as Cache;
  const ports: ReadPorts = {
    fetch: async ({ url }) => {
      asked.push(url);
      return network();
    },
    cache: async () => cache,
    patience: () => (late ? Promise.resolve() : new Promise(() => undefined)),
    now: () => 1_234,
  };
  return { ports, rows, asked };
}
const text = async (ports: ReadPorts, of = request): Promise<string> => (await answerRead(of, ports).answer).text();
const offline = (): Promise<Response> => Promise.reject(new TypeError('no network'));

describe('reads without a network', () => {
  it('gives the network answer and keeps it, with the moment it was asked for', async () => {
    const { ports, rows } = rig('old', async () => json('new'));
    const { answer, done } = answerRead(request, ports);
    expect(await (await answer).text()).toBe('new');
    await done;
    expect(rows.get(request.url)?.headers.get(savedAtHeader)).toBe('1234');
    expect(await rows.get(request.url)?.text()).toBe('new');
  });

  it('gives what was saved when nothing answers', async () => {
    expect(await text(rig('old', offline).ports)).toBe('old');
  });

  it('fails as the network does when nothing was saved', async () => {
    await expect(text(rig(null, offline).ports)).rejects.toThrow('no network');
  });

  it.each([
    ['a server that fails', async () => json('oops', 503)],
    ['a server that is too busy', async () => json('busy', 429)],
    ['a captive portal', async () => new Response('<h1>Welcome', { headers: { 'content-type': 'text/html' } })],
  ])('gives what was saved instead of %s, and does not keep that', async (_, network) => {
    const { ports, rows } = rig('old', network);
    expect(await text(ports)).toBe('old');
    expect(await rows.get(request.url)?.text()).toBe('old');
  });

  it('gives what was saved when the server keeps it waiting, and keeps the late answer for next time', async () => {
    let answer: (response: Response) => void = () => undefined;
    const { ports, rows } = rig('old', () => new Promise((resolve) => (answer = resolve)), true);
    const read = answerRead(request, ports);
    expect(await (await read.answer).text()).toBe('old');
    answer(json('late'));
    await read.done;
    expect(await rows.get(request.url)?.text()).toBe('late');
  });

  it('waits on when nothing was saved', async () => {
    const { ports } = rig(null, async () => json('new'), true);
    expect(await text(ports)).toBe('new');
  });

  it('passes a refusal on: signed out is signed out', async () => {
    const { ports, rows } = rig('old', async () => json('sign in', 401));
    expect((await answerRead(request, ports).answer).status).toBe(401);
    expect(await rows.get(request.url)?.text()).toBe('old');
  });

  it('shows a photo as it was saved, and asks nobody', async () => {
    const { ports, asked } = rig('bytes', async () => json('again'));
    expect(await text(ports, photo)).toBe('bytes');
    expect(asked).toEqual([]);
  });

  it('passes a failure on when nothing was saved, and does not ask twice', async () => {
    const { ports, asked } = rig(null, async () => json('oops', 503));
    expect((await answerRead(request, ports).answer).status).toBe(503);
    expect(asked).toHaveLength(1);
  });

  it('keeps reads of the round, and nothing of the session', () => {
    const kept = (path: string, method = 'GET'): boolean =>
      isKept(method, new URL(path, request.url), 'http://demo.test');
    expect(['/api/sites', '/api/notes', '/api/photos/p-1'].map((path) => kept(path))).toEqual([true, true, true]);
    expect(['/api/session', '/__ledger', '/', 'http://else.test/api/notes'].map((path) => kept(path))).toEqual(
      Array(4).fill(false),
    );
    expect(kept('/api/notes', 'POST')).toBe(false);
  });
});
