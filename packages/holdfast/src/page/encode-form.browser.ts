import { describe, expect, it } from 'vitest';
import { capture, partsOf } from '../flow/capture';
import { requestOf } from '../browser/fetch-transport';
import { readsFormFiles } from '../browser/supports';
import { encodeForm } from './encode-form';

function form(): FormData {
  const data = new FormData();
  data.append('title "a"\n', 'ünïcode\nline\r\nline\rline');
  data.append('photo', new File([Uint8Array.from([0, 255, 13, 10])], 'g "1"\n.png', { type: 'image/png' }));
  data.append('plain', new File(['x'], 'ü.bin'));
  data.append('empty', new File([], ''));
  return data;
}

describe('a form encoded here', () => {
  it('has the bytes that this engine sends itself', async () => {
    const answer = await fetch('/__echo', { method: 'POST', body: form() });
    const { headers, bodyBase64 } = (await answer.json()) as { headers: [string, string][]; bodyBase64: string };
    const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
    const boundary = /boundary=(.+)/.exec(type)?.[1] ?? '';
    const encoded = encodeForm(form(), boundary);
    expect(encoded.type).toBe(type);
    const own = new Uint8Array(await encoded.body.arrayBuffer());
    const theirs = Uint8Array.from(atob(bodyBase64), (letter) => letter.charCodeAt(0));
    expect(new TextDecoder('latin1').decode(own)).toBe(new TextDecoder('latin1').decode(theirs));
  });

  it('is only needed where pages cannot read a form with files, which this engine says of itself', async () => {
    const body = await new Response(form()).arrayBuffer().catch(() => undefined);
    expect(await readsFormFiles()).toBe(body !== undefined);
  });
});

describe('a request taken apart and put together again', () => {
  const base: RequestInit = { method: 'POST', body: 'x' };
  const inits: readonly RequestInit[] = [
    ...(['omit', 'same-origin', 'include'] as const).map((credentials) => ({ ...base, credentials })),
    ...(['default', 'no-store', 'reload', 'no-cache', 'force-cache'] as const).map((cache) => ({ ...base, cache })),
    ...(['follow', 'error', 'manual'] as const).map((redirect) => ({ ...base, redirect })),
    ...(['cors', 'no-cors', 'same-origin'] as const).map((mode) => ({ ...base, mode })),
    ...(['', 'no-referrer', 'origin', 'unsafe-url', 'strict-origin-when-cross-origin'] as const).map(
      (referrerPolicy) => ({ ...base, referrerPolicy }),
    ),
    ...['', '/rounds/7', 'about:client'].map((referrer) => ({ ...base, referrer })),
    { ...base, integrity: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' },
    { method: 'HEAD' },
    { method: 'DELETE' },
    { method: 'PATCH', body: '' },
    {
      ...base,
      headers: [
        ['X-B', '2'],
        ['x-a', ''],
        ['X-B', '3'],
        ['Content-Type', 'a/B;c="D"'],
      ],
    },
  ];

  it('has every property it had, and is never kept alive', async () => {
    for (const init of inits) {
      const request = new Request('/__echo?x=1#here', { ...init, ...(init.mode !== 'no-cors' && { keepalive: true }) });
      const before = partsOf(request);
      const { request: parts, body } = await capture(request);
      const again = requestOf({ ...parts, body }, new AbortController().signal);
      expect(partsOf(again)).toEqual(before);
      expect(again.keepalive).toBe(false);
      expect(again.url).not.toContain('#');
    }
  });
});
