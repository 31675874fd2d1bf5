import { describe, expect, it } from 'vitest';
import { resolveConfig } from '../core/config';
import type { Store } from '../ports';
import { whoIsSignedIn } from './subject';

function rig(own?: () => string) {
  let [now, known, reads] = [1_000, 'anna', 0];
  let hear: (message: unknown) => void = () => undefined;
  const store = {
    async transact() {
      reads += 1;
      return { id: known, at: 0 };
    },
  } as unknown as Store;
  const channel = {
    post: () => undefined,
    close: () => undefined,
    subscribe: (listener: (message: unknown) => void) => ((hear = listener), () => undefined),
  };
  const config = resolveConfig({ routes: [], ...(own && { subject: own }) });
  const who = whoIsSignedIn(config, { store, channel, system: { now: () => now } as never });
  return {
    who,
    reads: () => reads,
    signIn: (id: string) => void (known = id),
    passMs: (ms: number) => void (now += ms),
    hear: (ids: string[]) => hear({ v: 1, type: 'changed', outbox: 'outbox', revision: 1, ids }),
  };
}

describe('who is signed in', () => {
  it('is read once for a burst, and again soon after', async () => {
    const { who, reads, signIn, passMs } = rig();
    expect(await Promise.all([who.read(), who.read(), who.read()])).toEqual(['anna', 'anna', 'anna']);
    expect(reads()).toBe(1);

    signIn('bert');
    passMs(50);
    expect(await who.read()).toBe('bert');
  });

  it('is read again at once when somebody says that it changed, and when the clock went back', async () => {
    const { who, signIn, hear, passMs } = rig();
    await who.read();
    signIn('bert');
    hear(['some-entry']);
    expect(await who.read()).toBe('anna');
    hear([]);
    expect(await who.read()).toBe('bert');

    signIn('carl');
    who.changed();
    expect(await who.read()).toBe('carl');
    signIn('dora');
    passMs(-1);
    expect(await who.read()).toBe('dora');
  });

  it("is the app's own word each time, where it gives one", async () => {
    let name = 'anna';
    const { who, reads } = rig(() => name);
    await who.read();
    name = 'bert';
    expect([await who.read(), reads()]).toEqual(['bert', 0]);
  });
});
