import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { appBadge } from './app-badge';
import { deadNotification } from './dead-notification';
import { deadEntry, deliveredEntry, entry, look } from './fixtures/entries';
import { fakeOutbox } from './fixtures/fake-outbox';
import { settled } from './fixtures/mount';
import { tabMark } from './tab-mark';
import { unsentGuard } from './unsent-guard';

let stop = (): void => undefined;
beforeEach(() => {
  document.title = 'Orders';
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

/** Whether the browser would ask before the page is left. */
function asks(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}

describe('unsentGuard', () => {
  const memory = { status: { ...look([]).status, durability: 'memory' } } as const;

  it('does not ask about what is safely stored', () => {
    stop = unsentGuard(fakeOutbox([entry(), deadEntry()]).outbox);
    expect(asks()).toBe(false);
  });

  it('asks while leaving would lose something, and no longer', () => {
    const fake = fakeOutbox([entry()], memory);
    stop = unsentGuard(fake.outbox);
    expect(asks()).toBe(true);
    fake.show([deliveredEntry()], memory);
    expect(asks()).toBe(false);
  });

  it('asks about anything unsent when told to, and stops when told to', () => {
    const stopAsking = unsentGuard(fakeOutbox([entry()]).outbox, { when: 'unsent' });
    expect(asks()).toBe(true);
    stopAsking();
    expect(asks()).toBe(false);
  });
});

describe('tabMark', () => {
  const links = (): readonly string[] =>
    [...document.querySelectorAll('link[rel~=icon]')].map((link) => link.getAttribute('href') ?? '');

  it('marks the title by what is most pressing and takes the mark off', () => {
    const fake = fakeOutbox([entry(), entry()]);
    stop = tabMark(fake.outbox);
    expect(document.title).toBe('(2) Orders');
    fake.show([entry(), deadEntry()]);
    expect(document.title).toBe('! Orders');
    fake.show([]);
    expect(document.title).toBe('Orders');
  });

  it('marks a title the app sets meanwhile, and gives that back', async () => {
    const stopMarking = tabMark(fakeOutbox([entry()]).outbox);
    document.title = 'Order 17';
    await settled();
    expect(document.title).toBe('(1) Order 17');
    stopMarking();
    expect(document.title).toBe('Order 17');
  });

  it('shows the app’s own icons for it and puts the page’s back', async () => {
    const own = document.createElement('link');
    own.rel = 'icon';
    own.setAttribute('href', '/own.png');
    document.head.append(own);
    const before = links();
    const fake = fakeOutbox([entry()]);
    const stopMarking = tabMark(fake.outbox, { icons: { waiting: '/waiting.png', attention: '/attention.png' } });
    await settled();
    expect(links()).toEqual(['/waiting.png']);
    fake.show([deadEntry()]);
    await settled();
    expect(links()).toEqual(['/attention.png']);
    stopMarking();
    await settled();
    expect(links()).toEqual(before);
    own.remove();
  });

  it('draws a dot where the app has no icons for it', async () => {
    stop = tabMark(fakeOutbox([entry()]).outbox, { icons: 'drawn' });
    await vi.waitUntil(() => links()[0]?.startsWith('data:image/png'));
  });
});

describe('appBadge', () => {
  it('keeps the number on the app’s icon, and takes it off', () => {
    const setAppBadge = vi.fn(() => Promise.resolve());
    const clearAppBadge = vi.fn(() => Promise.resolve());
    vi.stubGlobal('navigator', { setAppBadge, clearAppBadge });
    const fake = fakeOutbox([entry(), deadEntry()]);
    const stopBadge = appBadge(fake.outbox);
    fake.show([entry(), deadEntry()]);
    expect(setAppBadge.mock.calls).toEqual([[2]]);
    fake.show([]);
    expect(clearAppBadge).toHaveBeenCalledTimes(1);
    fake.show([entry()]);
    stopBadge();
    expect(clearAppBadge).toHaveBeenCalledTimes(2);
    expect(fake.listeners()).toBe(0);
  });

  it('does nothing where the browser has none', () => {
    vi.stubGlobal('navigator', {});
    const fake = fakeOutbox([entry()]);
    appBadge(fake.outbox)();
    expect(fake.listeners()).toBe(0);
  });
});

describe('deadNotification', () => {
  const shown: { title: string; options: NotificationOptions }[] = [];
  class FakeNotification {
    static permission = 'granted';
    constructor(title: string, options: NotificationOptions) {
      shown.push({ title, options });
    }
  }

  it('tells of a dead letter once per entry, and only when allowed', () => {
    shown.length = 0;
    vi.stubGlobal('Notification', FakeNotification);
    const fake = fakeOutbox([]);
    stop = deadNotification(fake.outbox, { when: 'always' });
    fake.emit({ type: 'queued', entry: entry() });
    fake.emit({ type: 'dead', entry: deadEntry({ id: 'x', title: 'Order 1' }) });
    fake.emit({ type: 'dead', entry: deadEntry({}, { reason: 'cancelled', triage: 'closed' }) });
    expect(shown).toMatchObject([{ title: 'Order 1', options: { tag: 'outbox x', data: { id: 'x' } } }]);
    FakeNotification.permission = 'default';
    fake.emit({ type: 'dead', entry: deadEntry() });
    expect(shown).toHaveLength(1);
    FakeNotification.permission = 'granted';
  });

  it('keeps quiet while someone looks at the page', () => {
    shown.length = 0;
    vi.stubGlobal('Notification', FakeNotification);
    const fake = fakeOutbox([]);
    stop = deadNotification(fake.outbox);
    vi.spyOn(document, 'hidden', 'get').mockReturnValueOnce(false).mockReturnValueOnce(true);
    fake.emit({ type: 'dead', entry: deadEntry() });
    expect(shown).toHaveLength(0);
    fake.emit({ type: 'dead', entry: deadEntry() });
    expect(shown).toHaveLength(1);
  });
});
