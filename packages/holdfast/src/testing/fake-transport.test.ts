import { describe, expect, it } from 'vitest';
import type { Outgoing } from '../ports';
import { fakeSystem } from './fake-system';
import { fakeTransport } from './fake-transport';
import { sampleEntry } from './sample-entry';

const request: Outgoing = { ...sampleEntry(1).request, body: null };

describe('the fake transport', () => {
  it('answers a script in order and stays with its last line', async () => {
    const transport = fakeTransport([{ status: 503 }, { status: 201 }]);
    const statuses = [];
    for (let nth = 0; nth < 3; nth += 1) {
      const arrival = await transport.send(request, 0);
      statuses.push(arrival.kind === 'answer' && arrival.answer.status);
    }
    expect(statuses).toEqual([503, 201, 201]);
    expect(transport.sent).toHaveLength(3);
  });

  it('is a server that is down when it has no script', async () => {
    expect(await fakeTransport().send(request, 0)).toMatchObject({ kind: 'network' });
  });

  it('reads the body only as far as asked', async () => {
    const arrival = await fakeTransport([{ status: 422, body: { title: 'no' } }]).send(request, 0);
    if (arrival.kind !== 'answer') return expect.unreachable();
    expect(await arrival.answer.text(100)).toEqual({ text: '{"title":"no"}', truncated: false });
    expect(await arrival.answer.text(5)).toEqual({ text: '{"tit', truncated: true });
    expect(arrival.answer.headers).toEqual([['content-type', 'application/json']]);
    expect(await (arrival.answer.response as Response).json()).toEqual({ title: 'no' });
  });

  it('lets the own deadline pass when the answer takes longer', async () => {
    const system = fakeSystem();
    const transport = fakeTransport([{ status: 200, afterMs: 500 }, { fail: 'silence' }], system);
    const seen: string[] = [];
    const send = (timeoutMs: number) =>
      void transport.send(request, timeoutMs).then((arrival) => seen.push(`${arrival.kind}@${system.now()}`));
    send(600);
    await system.passMs(500);
    send(100);
    await system.passMs(100);
    send(0);
    await system.passMs(100_000);
    expect(seen).toEqual(['answer@500', 'timeout@600']);
  });

  it('asks a function what the server does, with the request and its number', async () => {
    const transport = fakeTransport((sent, nth) => ({ status: 200, body: `${sent.method} ${nth}` }));
    await transport.send(request, 0);
    const arrival = await transport.send(request, 0);
    expect(arrival.kind === 'answer' && (await arrival.answer.text(99)).text).toBe('POST 2');
  });
});
