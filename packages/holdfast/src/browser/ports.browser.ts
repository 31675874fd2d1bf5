import { describe, expect, it } from 'vitest';
import { lockContract } from '../testing/lock.contract';
import { broadcast } from './broadcast';
import { fetchTransport } from './fetch-transport';
import { outsideMarker } from './outside-marker';
import { isPersisted, storageRoom } from './persist';
import { hasBroadcastChannel, hasLocks, hasSubtle } from './supports';
import { system } from './system';
import { webLock } from './web-lock';

describe('this engine', () => {
  it('has what the page needs', () => {
    expect([hasLocks(), hasBroadcastChannel(), hasSubtle()]).toEqual([true, true, true]);
  });

  it('says how full its storage is and whether it is kept', async () => {
    expect(await storageRoom(system)).toMatchObject({ usedBytes: expect.any(Number) as number });
    expect(['persisted', 'best-effort']).toContain(await isPersisted(system));
  });

  it('remembers outside of IndexedDB', () => {
    const marker = outsideMarker(`marker-${system.id()}`);
    expect(marker.read()).toBeUndefined();
    marker.write({ createdAt: 5, waiting: 2 });
    expect(marker.read()).toEqual({ createdAt: 5, waiting: 2 });
  });
});

describe('the Web Locks of this engine keep the contract: it', () => {
  const makeLocks = () => {
    const name = `lock-${system.id()}`;
    return [webLock(name), webLock(name)] as const;
  };
  for (const { title, run } of lockContract(makeLocks)) it(title, run);

  it('tells whoever is alone that he is, also after others have been there', async () => {
    const [a, b] = makeLocks();
    for (const lock of [a, b, a]) {
      const turn = await lock.hold('x', { wait: true }, ({ alone }) => Promise.resolve(alone));
      expect(turn).toEqual({ held: true, value: true });
    }
  });

  it('can be refused by it, and then one inside the context takes their place', async () => {
    const { request } = navigator.locks;
    const name = `lock-${system.id()}`;
    Object.defineProperty(navigator.locks, 'request', {
      configurable: true,
      value: () => Promise.reject(new DOMException('storage is switched off', 'SecurityError')),
    });
    try {
      const lock = webLock(name);
      const inner = () => lock.hold('x', { wait: false }, () => Promise.resolve(1));
      const turn = await lock.hold('x', { wait: true }, inner);
      expect(turn).toEqual({ held: true, value: { held: false } });
    } finally {
      Object.defineProperty(navigator.locks, 'request', { configurable: true, value: request.bind(navigator.locks) });
    }
  });

  it('goes on where somebody keeps the whole table for himself, without knowing of others', async () => {
    const name = `lock-${system.id()}`;
    let letGo = (): void => undefined;
    const kept = new Promise<void>((resolve) => (letGo = resolve));
    const thief = navigator.locks.request(`${name}:x:at-work`, { steal: true }, () => kept);
    const turn = await webLock(name).hold('x', { wait: false }, ({ alone }) => Promise.resolve(alone));
    expect(turn).toEqual({ held: true, value: false });
    letGo();
    await thief;
  });
});

describe('the line of this engine', () => {
  it('carries messages both ways and survives a pause', async () => {
    const name = `line-${system.id()}`;
    const [a, b] = [broadcast(name), broadcast(name)];
    const next = (line: typeof a) =>
      new Promise((resolve) => {
        const leave = line.subscribe((message) => {
          leave();
          resolve(message);
        });
      });
    let heard = next(b);
    a.post({ n: 1 });
    expect(await heard).toEqual({ n: 1 });
    b.pause();
    b.resume();
    heard = next(b);
    // A channel opened again may need a moment before it is reachable from others.
    const repeat = setInterval(() => a.post({ n: 2 }), 20);
    expect(await heard).toEqual({ n: 2 });
    clearInterval(repeat);
    a.close();
    b.close();
  });
});

describe('fetch in this engine', () => {
  const transport = fetchTransport({ system });
  const request = {
    method: 'GET',
    url: new URL('/__holdfast_missing__', location.href).href,
    headers: [['x-own', '1']] as const,
    mode: 'cors',
    credentials: 'same-origin',
    cache: 'no-store',
    redirect: 'follow',
    referrer: 'about:client',
    referrerPolicy: '',
    integrity: '',
    body: null,
  };

  it('brings an answer with its head and a bounded body', async () => {
    const arrival = await transport.send(request, 10_000);
    if (arrival.kind !== 'answer') return expect.unreachable(arrival.message);
    expect(arrival.answer.status).toBeGreaterThanOrEqual(200);
    expect(arrival.answer.type).toBe('basic');
    const { text } = await arrival.answer.text(10, true);
    expect(text.length).toBeLessThanOrEqual(10);
    expect(await (arrival.answer.response as Response).text()).toContain(text);
  });

  it('says `network` when nobody is there', async () => {
    const arrival = await transport.send({ ...request, url: 'http://localhost:1/' }, 10_000);
    expect(arrival.kind).toBe('network');
  });

  it('builds a request from every captured kind without throwing', async () => {
    for (const [mode, cache, body] of [
      ['navigate', 'default', new Uint8Array([1])],
      ['same-origin', 'only-if-cached', new Blob(['x'], { type: 'a/b' })],
      ['cors', 'no-cache', null],
    ] as const) {
      const arrival = await transport.send({ ...request, method: 'POST', mode, cache, body }, 10_000);
      expect(arrival.kind === 'answer' ? 'answer' : arrival.message).toBe('answer');
    }
  });
});
