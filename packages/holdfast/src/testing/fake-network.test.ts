import { describe, expect, it } from 'vitest';
import type { Outgoing } from '../ports';
import { fakeNetwork } from './fake-network';
import { fakeSystem } from './fake-system';
import { fakeTransport } from './fake-transport';
import { memoryStore } from './memory-store';
import { sampleEntry } from './sample-entry';

function rig() {
  const system = fakeSystem();
  const store = memoryStore();
  const network = fakeNetwork();
  const transport = fakeTransport([{ status: 200, afterMs: 100 }], system);
  const tab = () => network.context({ store, transport, system });
  return { system, store, network, transport, tab };
}

function gate() {
  let open: (value: string) => void = () => undefined;
  const opened = new Promise<string>((resolve) => (open = resolve));
  return { opened, open };
}

describe('the fake bus', () => {
  it('carries copies to every other context and not back', async () => {
    const { tab, system } = rig();
    const [a, b, c] = [tab(), tab(), tab()];
    const heard: unknown[] = [];
    a.channel.subscribe(() => expect.unreachable());
    b.channel.subscribe((message) => heard.push(message));
    c.channel.subscribe((message) => heard.push(message));
    const message = { n: 1 };
    a.channel.post(message);
    message.n = 2;
    await system.settle();
    expect(heard).toEqual([{ n: 1 }, { n: 1 }]);
  });

  it('refuses what a browser could not post', () => {
    const { tab } = rig();
    const [first] = [tab(), tab()];
    expect(() => first.channel.post({ on: () => undefined })).toThrow(/only plain data/);
  });

  it('is silent to those who closed, died or left off listening', async () => {
    const { tab, system } = rig();
    const [a, closed, dead, left] = [tab(), tab(), tab(), tab()];
    for (const one of [closed, dead]) one.channel.subscribe(() => expect.unreachable());
    left.channel.subscribe(() => expect.unreachable())();
    closed.channel.close();
    dead.kill();
    a.channel.post('news');
    await system.settle();
  });
});

describe('the fake locks', () => {
  it('are held by one at a time, in the order they were asked for', async () => {
    const { tab, system, network } = rig();
    const [a, b] = [tab(), tab()];
    const seen: string[] = [];
    const door = gate();
    void a.lock.hold('drain', { wait: true }, async () => {
      seen.push('a in');
      await door.opened;
      seen.push('a out');
    });
    void b.lock.hold('drain', { wait: true }, async () => void seen.push('b in'));
    await system.settle();
    expect(await tab().lock.hold('drain', { wait: false }, () => Promise.resolve(1))).toEqual({ held: false });
    expect(seen).toEqual(['a in']);
    door.open('');
    await system.settle();
    expect(seen).toEqual(['a in', 'a out', 'b in']);
    expect(network.locks()).toEqual([]);
  });

  it('tell a robbed holder that its lock is lost, while its work goes on', async () => {
    const { tab, system } = rig();
    const [a, b] = [tab(), tab()];
    const door = gate();
    const robbed = a.lock.hold('drain', { wait: true }, async (lost) => (await door.opened) + String(lost.lost));
    await system.settle();
    expect(await b.lock.hold('drain', { wait: false, steal: true }, () => Promise.resolve('mine'))).toEqual({
      held: true,
      value: 'mine',
    });
    door.open('lost: ');
    expect(await robbed).toEqual({ held: true, value: 'lost: true' });
  });

  it('go to the next in line when their holder is killed, and past those who were killed waiting', async () => {
    const { tab, system } = rig();
    const [a, b, c] = [tab(), tab(), tab()];
    void a.lock.hold('drain', { wait: true }, () => new Promise(() => undefined));
    void b.lock.hold('drain', { wait: true }, () => Promise.reject(new Error('the dead do not work')));
    const last = c.lock.hold('drain', { wait: true }, () => Promise.resolve('c'));
    b.kill();
    a.kill();
    await system.settle();
    expect(await last).toEqual({ held: true, value: 'c' });
  });

  it('tell whoever is alone that he is: after the others, and after one who was killed', async () => {
    const { tab, system } = rig();
    const [a, b] = [tab(), tab()];
    const alone = () => b.lock.hold('drain', { wait: true }, ({ alone }) => Promise.resolve(alone));
    expect(await alone()).toEqual({ held: true, value: true });
    void a.lock.hold('drain', { wait: true }, () => new Promise(() => undefined));
    await system.settle();
    a.kill();
    expect(await alone()).toEqual({ held: true, value: true });
  });

  it('are let go when the work throws', async () => {
    const { tab, network } = rig();
    const failing = tab().lock.hold('drain', { wait: true }, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(network.locks()).toEqual([]);
  });
});

describe('a killed context', () => {
  const request: Outgoing = { ...sampleEntry(1).request, body: null };

  it('hears no answer, though the server got its request', async () => {
    const { tab, system, transport } = rig();
    const a = tab();
    void a.transport.send(request, 0).then(() => expect.unreachable());
    a.kill();
    await system.passMs(1_000);
    expect(transport.sent).toHaveLength(1);
  });

  it('leaves nothing of its open transaction', async () => {
    const { tab, system, store } = rig();
    const a = tab();
    void a.store
      .transact('strict', async (rows) => {
        await rows.put(sampleEntry(1));
        a.kill();
        await rows.put(sampleEntry(2));
      })
      .then(
        () => expect.unreachable(),
        () => expect.unreachable(),
      );
    await system.settle();
    expect(await store.transact('read', (rows) => rows.scan(0, 9))).toEqual([]);
  });

  it('runs no timers', async () => {
    const { tab, system } = rig();
    const a = tab();
    a.system.timer(10, () => expect.unreachable());
    a.kill();
    a.system.timer(10, () => expect.unreachable());
    await system.passMs(100);
  });
});

describe('a frozen context', () => {
  it('catches up when it thaws', async () => {
    const { tab, system } = rig();
    const [a, b] = [tab(), tab()];
    const seen: string[] = [];
    a.channel.subscribe((message) => seen.push(String(message)));
    a.system.timer(10, () => seen.push('timer'));
    a.freeze();
    b.channel.post('news');
    await system.passMs(100);
    expect(seen).toEqual([]);
    a.thaw();
    expect(seen).toEqual(['news', 'timer']);
  });
});
