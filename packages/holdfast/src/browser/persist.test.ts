import { afterEach, describe, expect, it, vi } from 'vitest';
import { fakeSystem } from '../testing/fake-system';
import { askToPersist, isPersisted, storageRoom } from './persist';

/** What `navigator.storage` is in the engine at hand. */
function engineWith(storage: object | undefined): void {
  vi.stubGlobal('navigator', storage ? { storage } : {});
}
afterEach(() => void vi.unstubAllGlobals());

const never = () => new Promise(() => undefined);
const estimate = () => Promise.resolve({ usage: 10, quota: 1_000 });
const persisted = () => Promise.resolve(false);

describe('asking to be kept', () => {
  it('says what the browser answered', async () => {
    for (const [answer, meaning] of [
      [true, 'persisted'],
      [false, 'best-effort'],
    ] as const) {
      engineWith({ persist: () => Promise.resolve(answer), estimate, persisted });
      expect(await askToPersist(fakeSystem())).toBe(meaning);
    }
  });

  it('does not wait for ever for somebody who never answers', async () => {
    engineWith({ persist: never, estimate, persisted });
    const system = fakeSystem();
    const answer = askToPersist(system);
    await system.passMs(10_000);
    expect(await answer).toBe('unknown');
  });

  it('is only looking where nobody can be asked, as in a worker', async () => {
    engineWith({ estimate, persisted: () => Promise.resolve(true) });
    expect(await askToPersist(fakeSystem())).toBe('persisted');
  });

  it('is unknown where the engine says nothing, and where it fails', async () => {
    engineWith(undefined);
    expect(await askToPersist(fakeSystem())).toBe('unknown');
    expect(await isPersisted(fakeSystem())).toBe('unknown');
    engineWith({ persist: () => Promise.reject(new TypeError('no')), estimate, persisted });
    expect(await askToPersist(fakeSystem())).toBe('unknown');
  });

  it('leaves no timer behind', async () => {
    engineWith({ persist: () => Promise.resolve(true), estimate, persisted });
    const system = fakeSystem();
    await askToPersist(system);
    await system.settle();
    expect(system.timers()).toBe(0);
  });
});

describe('the room that is left', () => {
  it('is what the engine estimates', async () => {
    engineWith({ estimate, persisted });
    expect(await storageRoom(fakeSystem())).toEqual({ usedBytes: 10, quotaBytes: 1_000 });
  });

  it('is undefined where the engine does not say', async () => {
    for (const storage of [
      undefined,
      {},
      { estimate: () => Promise.resolve({}) },
      { estimate: () => Promise.reject(new Error('no')) },
    ]) {
      engineWith(storage);
      expect(await storageRoom(fakeSystem())).toBeUndefined();
    }
  });
});
