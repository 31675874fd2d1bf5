import { describe, expect, it } from 'vitest';
import { resolveConfig } from '../core/config';
import type { Store } from '../ports';
import { whoIsSignedIn } from './subject';

function rig(own?: () => string) {
  let [known, reads] = ['anna', 0];
  const store = {
    async transact() {
      reads += 1;
      const answer = { id: known, at: 0 };
      await Promise.resolve();
      return answer;
    },
  } as unknown as Store;
  const config = resolveConfig({ routes: [], ...(own && { subject: own }) });
  return { who: whoIsSignedIn(config, store), reads: () => reads, signIn: (id: string) => void (known = id) };
}

describe('who is signed in', () => {
  it('is read once for all who ask at the same time', async () => {
    const { who, reads } = rig();
    expect(await Promise.all([who(), who(), who()])).toEqual(['anna', 'anna', 'anna']);
    expect(reads()).toBe(1);
  });

  it('is never an answer from before the question', async () => {
    const { who, signIn } = rig();
    const before = who();
    await Promise.resolve();
    await Promise.resolve();
    signIn('bert');
    expect(await who()).toBe('bert');
    expect(await before).toBe('anna');
    signIn('carl');
    expect(await who()).toBe('carl');
  });

  it("is the app's own word each time, where it gives one", async () => {
    let name = 'anna';
    const { who, reads } = rig(() => name);
    await who();
    name = 'bert';
    expect([await who(), reads()]).toEqual(['bert', 0]);
  });
});
