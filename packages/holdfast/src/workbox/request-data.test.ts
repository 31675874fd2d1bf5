import { describe, expect, it } from 'vitest';
import { capturedFrom, requestDataFrom, requestDataOf, requestFrom, requestOf } from './request-data';

const url = 'https://app.example/a?b=1';

describe('a request in Workbox’s shape', () => {
  it('is the same request again, with its bytes', async () => {
    const body = new Uint8Array([0, 255, 13, 10]);
    const headers = { 'content-type': 'application/x-own', 'x-list': 'a, b' };
    const data = await requestDataOf(new Request(url, { method: 'PUT', headers, body, credentials: 'include' }));
    const again = requestFrom(data);
    expect(again).toMatchObject({ method: 'PUT', url, credentials: 'include' });
    expect(again.headers.get('x-list')).toBe('a, b');
    expect(new Uint8Array(await again.arrayBuffer())).toEqual(body);
  });

  it('leaves the request it was made of unused', async () => {
    const request = new Request(url, { method: 'POST', body: 'x' });
    await requestDataOf(request);
    expect(await request.text()).toBe('x');
  });

  it('may have an empty body where none is allowed: HEAD and GET', async () => {
    for (const method of ['HEAD', 'GET', 'head']) {
      const data = { url, method, headers: {}, body: new ArrayBuffer(0) };
      expect(requestFrom(data).body).toBeNull();
      expect(capturedFrom(data)).toMatchObject({ body: null });
    }
    expect(await requestDataOf(new Request(url, { method: 'HEAD' }))).not.toHaveProperty('body');
  });

  it('goes into the outbox and comes back as it was', async () => {
    const data = { url, method: 'POST', headers: { 'content-type': 'text/plain' }, body: new ArrayBuffer(3) };
    const captured = capturedFrom(data);
    expect(captured).toMatchObject({ type: 'text/plain', body: new Uint8Array(3) });
    const back = await requestDataFrom(captured.request, captured.body, true);
    expect(back).toMatchObject({ ...data, keepalive: true });
    expect(await requestDataFrom(captured.request, null)).toMatchObject({ body: new ArrayBuffer(0) });
  });

  it('of a navigation is one a script can make', () => {
    expect(requestFrom({ url, method: 'POST', headers: {}, mode: 'navigate' }).mode).toBe('same-origin');
    const parts = capturedFrom({ url, method: 'POST', headers: {} }).request;
    expect(requestOf({ ...parts, mode: 'navigate' }, null).mode).toBe('same-origin');
  });

  it('that is none says why', () => {
    for (const data of [{ url: 'no url' }, { url, method: 'TRACE' }, { url, headers: { 'no name': '1' } }]) {
      expect(() => capturedFrom({ headers: {}, ...data })).toThrow(expect.objectContaining({ code: 'unreadable' }));
    }
  });
});
