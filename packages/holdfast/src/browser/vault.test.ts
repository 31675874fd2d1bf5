import { describe, expect, it } from 'vitest';
import { memoryStore } from './memory-store';
import { createVault } from './vault';

const headers = [['authorization', 'Bearer secret-token']] as const;
const body = new TextEncoder().encode('phone 555-0199');

/** CryptoKeys are kept as they are: the memory store would refuse to copy them. */
function keyStore(): ReturnType<typeof memoryStore> {
  const kept = new Map<string, unknown>();
  const rows = {
    control: (name: string) => Promise.resolve(kept.get(name)),
    putControl: (name: string, value: unknown) => Promise.resolve(void kept.set(name, value)),
  };
  return { ...memoryStore(), transact: (_, work) => work(rows as never) };
}

describe('vault', () => {
  it('gives back exactly what was sealed, and shows nothing of it', async () => {
    const vault = createVault(keyStore());
    const sealed = await vault.seal('ann', headers, body);
    expect(Buffer.from(sealed).toString('latin1')).not.toMatch(/secret|555/);
    expect(await vault.open('ann', sealed)).toEqual({ headers, body });
    expect(await vault.open('ann', await vault.seal('ann', [], null))).toEqual({ headers: [], body: null });
  });

  it('never seals the same thing twice alike', async () => {
    const vault = createVault(keyStore());
    expect(await vault.seal('ann', headers, body)).not.toEqual(await vault.seal('ann', headers, body));
  });

  it('another context over the same store opens it; another subject’s key, altered bytes and a lost key do not', async () => {
    const store = keyStore();
    const sealed = await createVault(store).seal('ann', headers, body);
    const vault = createVault(store);
    expect(await vault.open('ann', sealed)).toEqual({ headers, body });
    await vault.seal('bob', [], null);
    await expect(vault.open('bob', sealed)).rejects.toMatchObject({ code: 'unreadable' });
    const altered = sealed.slice();
    altered[20] = (altered[20] ?? 0) ^ 1;
    await expect(vault.open('ann', altered)).rejects.toMatchObject({ code: 'unreadable' });
    await vault.forget('ann');
    await expect(vault.open('ann', sealed)).rejects.toMatchObject({ code: 'unreadable' });
  });

  it('the key cannot be taken out', async () => {
    const store = keyStore();
    await createVault(store).seal('ann', headers, body);
    const keys = await store.transact('read', (rows) => rows.control('keys'));
    await expect(crypto.subtle.exportKey('raw', keys?.['ann'] as CryptoKey)).rejects.toThrow();
  });
});
