import { describe, expect, it } from 'vitest';
import { fakeNetwork } from '../testing/fake-network';
import { fakeSystem } from '../testing/fake-system';
import { fakeTransport } from '../testing/fake-transport';
import { lockContract } from '../testing/lock.contract';
import { memoryStore } from '../testing/memory-store';
import { contextLock, webLock } from './web-lock';

describe('the lock inside one context keeps the contract: it', () => {
  const makeLocks = () => {
    const lock = contextLock();
    return [lock, lock] as const;
  };
  for (const { title, run } of lockContract(makeLocks)) it(title, run);
});

describe('the fake lock keeps the contract: it', () => {
  const makeLocks = () => {
    const network = fakeNetwork();
    const own = () => ({ store: memoryStore(), transport: fakeTransport(), system: fakeSystem() });
    return [network.context(own()).lock, network.context(own()).lock] as const;
  };
  for (const { title, run } of lockContract(makeLocks)) it(title, run);
});

describe('without Web Locks', () => {
  it('a lock inside the context takes their place', async () => {
    const lock = webLock('app');
    const inner = await lock.hold('x', { wait: true }, () => lock.hold('x', { wait: false }, () => Promise.resolve(1)));
    expect(inner).toEqual({ held: true, value: { held: false } });
  });
});
