import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hit, noFaults, readFaults } from './faults';
import { draft, photoForm, rig, type Rig } from './testing';

describe('what is hit', () => {
  it('spares reads when told to, and counts them neither', () => {
    const faults = readFaults({ mode: '500', only: 'writes', times: 1 });
    expect(hit(faults, 'GET')).toEqual({ mode: 'ok', next: faults });
    expect(hit(faults, 'PUT')).toEqual({ mode: '500', next: noFaults });
  });

  it('ends after as many requests as it was told', () => {
    const two = readFaults({ mode: 'refuse', times: 2 });
    expect(hit(two, 'GET').next).toMatchObject({ mode: 'refuse', times: 1 });
  });

  it.each([
    [{ mode: 'explode' }],
    [null],
    [{ mode: '429', retryAfterSeconds: -1 }],
    [{ mode: 'ok', times: 0 }],
    [{ mode: 'ok', only: 'reads' }],
  ])('refuses %j', (body) => expect(() => readFaults(body)).toThrow(/must be/));
});

describe('a server that is broken on purpose', () => {
  let demo: Rig;
  beforeEach(async () => {
    demo = await rig();
  });
  afterEach(() => demo.close());

  const put = (key = 'k1'): Promise<Response> =>
    demo.send('PUT', '/api/notes/n1', key, draft, { 'if-none-match': '*' });
  /** Afterwards everything works, and the intent of `k1` has had exactly `effects` effects before it is sent again. */
  const healed = async (effects: number): Promise<void> => {
    expect(await demo.ledger()).toHaveLength(effects);
    await demo.faults('ok');
    expect((await put()).status).toBe(201);
    expect(await demo.ledger()).toMatchObject([{ seq: 1, key: 'k1', method: 'PUT', path: '/api/notes/n1' }]);
    expect(await demo.notes()).toHaveLength(1);
  };

  it.each(['refuse', 'reset-before'] as const)('%s: cuts the connection and does nothing', async (mode) => {
    await demo.faults(mode);
    await expect(put()).rejects.toThrow();
    await healed(0);
  });

  it('reset-before: takes a whole upload first', async () => {
    await put();
    await demo.faults('reset-before');
    const photo = photoForm(new Uint8Array(3 * 1024 * 1024));
    await expect(demo.send('POST', '/api/notes/n1/photos', 'k2', photo)).rejects.toThrow();
    expect(await demo.ledger()).toHaveLength(1);
  });

  it('reset-after: does the work, and the same key later gets the lost answer without a second effect', async () => {
    await demo.faults('reset-after');
    await expect(put()).rejects.toThrow();
    await healed(1);
    expect((await put()).headers.get('idempotency-replayed')).toBe('true');
  });

  it('reset-after: also for reads and uploads', async () => {
    await put();
    await demo.faults('reset-after');
    await expect(fetch(`${demo.url}/api/notes`)).rejects.toThrow();
    await expect(demo.send('POST', '/api/notes/n1/photos', 'k2', photoForm(new Uint8Array([1, 2])))).rejects.toThrow();
    await demo.faults('ok');
    expect((await demo.notes())[0]?.photos).toHaveLength(1);
  });

  it('hang: never answers, does nothing, and keeps nobody else waiting', async () => {
    await demo.faults('hang');
    const gone = new AbortController();
    const hanging = fetch(`${demo.url}/api/notes/n1`, {
      method: 'PUT',
      body: JSON.stringify(draft),
      signal: gone.signal,
    });
    expect((await fetch(`${demo.url}/__faults`)).status).toBe(200);
    gone.abort();
    await expect(hanging).rejects.toThrow();
    await healed(0);
  });

  it.each(['503', '429'] as const)('%s: says when to come back', async (mode) => {
    await demo.faults(mode, { retryAfterSeconds: 7 });
    const answer = await put();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([Number(mode), '7']);
    await healed(0);
  });

  it('500: fails without doing anything', async () => {
    await demo.faults('500');
    expect((await put()).status).toBe(500);
    await healed(0);
  });

  it('captive: leads to a page of somebody else that says 200', async () => {
    await demo.faults('captive');
    const answer = await put();
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/__portal']);
    const portal = await fetch(`${demo.url}/api/notes`);
    expect([portal.status, portal.redirected, portal.headers.get('content-type')]).toEqual([
      200,
      true,
      expect.stringContaining('text/html'),
    ]);
    const followed = await fetch(`${demo.url}/api/notes/n1`, { method: 'PUT', body: JSON.stringify(draft) });
    expect([followed.status, followed.redirected]).toEqual([200, true]);
    await healed(0);
  });

  it('slow: answers late, but rightly', async () => {
    await demo.faults('slow', { slowMs: 20 });
    expect((await put()).status).toBe(201);
    await healed(1);
  });

  it('says its mode, and goes back to ok after so many hits', async () => {
    await demo.faults('500', { times: 1 });
    expect(await (await fetch(`${demo.url}/__faults`)).json()).toMatchObject({ mode: '500', times: 1 });
    expect((await put()).status).toBe(500);
    expect(await (await fetch(`${demo.url}/__faults`)).json()).toEqual(noFaults);
  });

  it('begins anew on demand', async () => {
    await put();
    await demo.faults('500');
    expect((await fetch(`${demo.url}/__reset`, { method: 'POST' })).status).toBe(204);
    expect(await demo.notes()).toEqual([]);
    expect(await demo.ledger()).toEqual([]);
    expect((await put()).headers.get('idempotency-replayed')).toBeNull();
    expect(await demo.ledger()).toMatchObject([{ seq: 1 }]);
  });

  it('lets a colleague change a note, so that an edit made offline meets a conflict', async () => {
    await put();
    await fetch(`${demo.url}/__colleague`, { method: 'POST' });
    expect(await demo.notes()).toMatchObject([{ version: 2, updatedBy: 'colleague' }]);
    expect((await demo.send('PUT', '/api/notes/n1', 'k2', draft, { 'if-match': '"1"' })).status).toBe(412);
  });

  it('can only be broken from this machine, by its own name', async () => {
    const { request } = await import('node:http');
    const status = await new Promise((answered) => {
      const asked = request(`${demo.url}/__faults`, { headers: { host: 'evil.example' } }, ({ statusCode }) =>
        answered(statusCode),
      );
      asked.end();
    });
    expect(status).toBe(403);
  });
});
