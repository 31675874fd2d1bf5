import { describe, expect, it } from 'vitest';
import { commands } from 'vitest/browser';

/** The wire that adapters are tested against: what it shows here is what the flow must cope with in each engine. */
describe('a real network', () => {
  const outcome = (url: string, init?: RequestInit): Promise<string> =>
    fetch(url, init).then(
      async (response) => `${response.status} ${await response.text().then(String, (error: Error) => error.name)}`,
      (error: Error) => error.name,
    );

  it('carries bytes and headers unchanged', async () => {
    const body = Uint8Array.from({ length: 256 }, (_, index) => index);
    const response = await fetch('/__echo?x=1', { method: 'PUT', body, headers: { 'Idempotency-Key': '"k"' } });
    const seen = (await response.json()) as { method: string; headers: [string, string][]; bodyBase64: string };
    expect(seen).toMatchObject({ method: 'PUT', url: '/__echo?x=1', lengthBytes: 256 });
    expect(Uint8Array.from(atob(seen.bodyBase64), (letter) => letter.charCodeAt(0))).toEqual(body);
    expect(seen.headers.filter(([name]) => name.toLowerCase() === 'idempotency-key').map(([, value]) => value)).toEqual(
      ['"k"'],
    );
  });

  it('rejects alike when the work was done and when it was not, which is why no answer means unknown', async () => {
    const run = crypto.randomUUID();
    const post = (mode: string) => outcome(`/__echo?run=${run}&mode=${mode}`, { method: 'POST', body: mode });
    expect(await post('reset-before')).toBe('TypeError');
    expect(await post('reset-after')).toBe('TypeError');
    const ledger = (await (await fetch(`/__echo/ledger?run=${run}`)).json()) as unknown[];
    // Firefox itself sends again after a reset, so there may be more than one.
    expect(ledger.length).toBeGreaterThanOrEqual(1);
  });

  it('rejects alike for a server that is gone and for one that does not allow the origin', async () => {
    const url = await commands.startPeer();
    try {
      expect(await outcome(`${url}/__echo`)).toBe('TypeError');
      expect(await outcome(`${url}/__echo?cors=1&status=201`)).toMatch(/^201 /);
    } finally {
      await commands.stopPeer(url);
    }
    expect(await outcome(`${url}/__echo?cors=1`)).toBe('TypeError');
  });

  it('gives the status of an answer that breaks off, and rejects its body', async () => {
    expect(await outcome('/__echo?mode=truncate')).toMatch(/^200 \w*Error$/);
  });
});
