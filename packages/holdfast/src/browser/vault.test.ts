import { describe, expect, it } from 'vitest';
import { memoryStore } from './memory-store';
import { createVault } from './vault';

const headers = [['authorization', 'Bearer secret-token']] as const;
const body = new TextEncoder().encode('phone 555-0199');

describe('vault', () => {
  it('gives back exactly what was sealed, and shows nothing of it', async () => {
    const vault = createVault(memoryStore());
    const sealed = await vault.seal('ann', headers, body);
    expect(Buffer.from(sealed).toString('latin1')).not.toMatch(/secret|555/);
    expect(await vault.open('ann', sealed)).toEqual({ headers, body });
    expect(await vault.open('ann', await vault.seal('ann', [], null))).toEqual({ headers: [], body: null });
  });

  it('never seals the same thing twice alike', async () => {
    const vault = createVault(memoryStore());
    expect(await vault.seal('ann', headers, body)).not.toEqual(await vault.seal('ann', headers, body));
  });

  it('another context over the same store opens it; another subject’s key, altered bytes and a lost key do not', async () => {
    const store = memoryStore();
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

  it('seals where the browser denies storage, too: its key is kept in memory then', async () => {
    const store = memoryStore();
    await createVault(store).seal('ann', headers, body);
    const keys = await store.transact('read', (rows) => rows.control('keys'));
    expect(keys?.['ann']).toBeInstanceOf(CryptoKey);
  });

  it('the key cannot be taken out', async () => {
    const store = memoryStore();
    await createVault(store).seal('ann', headers, body);
    const keys = await store.transact('read', (rows) => rows.control('keys'));
    await expect(crypto.subtle.exportKey('raw', keys?.['ann'] as CryptoKey)).rejects.toThrow();
  });
});
