import { describe, expect, it } from 'vitest';
import { resolveConfig } from '../core/config';
import type { Store } from '../ports';
import { fakeNetwork } from '../testing/fake-network';
import { fakeSystem } from '../testing/fake-system';
import { fakeTransport } from '../testing/fake-transport';
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
  const system = fakeSystem({ now: 1_000_000, seed: 1 });
  const transport = fakeTransport([], system);
  const network = fakeNetwork();
  const [ports, page] = [network.context({ store, transport, system }), network.context({ store, transport, system })];
  const signed = whoIsSignedIn(config, { ...ports, store, system });
  return {
    ...signed,
    who: signed.subject,
    reads: () => reads,
    signIn: (id: string) => void (known = id),
    system,
    page,
    deaf: whoIsSignedIn(config, { store, system, channel: { ...ports.channel, hears: false } }),
  };
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

describe('who was signed in a moment ago, for whoever asks before each of many requests', () => {
  it('is read once for all of that moment', async () => {
    const { recentSubject, reads, system } = rig();
    for (let times = 0; times < 20; times += 1) expect(await recentSubject()).toBe('anna');
    expect(reads()).toBe(1);
    await system.passMs(51);
    await recentSubject();
    expect(reads()).toBe(2);
  });

  it('is read anew as soon as another context says that anything changes', async () => {
    const { recentSubject, signIn, page } = rig();
    expect(await recentSubject()).toBe('anna');
    page.channel.post('anything');
    await Promise.resolve();
    signIn('bert');
    expect(await recentSubject()).toBe('bert');
  });

  it('is not kept when that is said while it is being read', async () => {
    const { recentSubject, signIn, page } = rig();
    const asked = recentSubject();
    page.channel.post('anything');
    expect(await asked).toBe('anna');
    signIn('bert');
    expect(await recentSubject()).toBe('bert');
  });

  it('is read anew when this context itself changes something', async () => {
    const { recentSubject, signIn, forget } = rig();
    await recentSubject();
    signIn('bert');
    forget();
    expect(await recentSubject()).toBe('bert');
  });

  it('is read each time where nobody can be heard, or the clock was set', async () => {
    const { deaf, signIn, recentSubject, system } = rig();
    await deaf.recentSubject();
    await recentSubject();
    signIn('bert');
    system.setClock(system.now() - 3_600_000);
    expect([await deaf.recentSubject(), await recentSubject()]).toEqual(['bert', 'bert']);
  });
});
