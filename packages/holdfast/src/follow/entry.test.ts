import { describe, expect, it } from 'vitest';
import { followEntry } from './entry';
import { entry, fakeOutbox, turns } from './fake-outbox.fixture';

describe('one entry', () => {
  it('is read from the window, and tells only when it has changed', () => {
    const { outbox, show, asked } = fakeOutbox();
    const mine = entry('a');
    show([mine, entry('b')]);
    const followed = followEntry(outbox, 'a');
    let told = 0;
    followed.subscribe(() => (told += 1));
    expect(followed.getSnapshot()).toBe(mine);

    show([{ ...mine }, entry('b', { state: 'sending' })]);
    expect([told, followed.getSnapshot()]).toEqual([0, mine]);

    show([{ ...mine, state: 'delivered' }]);
    expect([told, followed.getSnapshot()?.state]).toEqual([1, 'delivered']);
    expect(asked).toEqual([]);
  });

  it('is looked up where the window does not show it: undefined until then, null when there is none', async () => {
    const { outbox, show, forget } = fakeOutbox();
    show([], [entry('far')]);
    const followed = followEntry(outbox, 'far');
    followed.subscribe(() => undefined);
    expect(followed.getSnapshot()).toBeUndefined();
    await turns();
    expect(followed.getSnapshot()).toMatchObject({ id: 'far' });

    forget('far');
    show([]);
    await turns();
    expect(followed.getSnapshot()).toBeNull();
  });

  it('does not believe an answer that a later look has overtaken', async () => {
    const { outbox, show, hold, asked } = fakeOutbox();
    const old = entry('a');
    show([], [old]);
    hold();
    const followed = followEntry(outbox, 'a');
    followed.subscribe(() => undefined);
    show([{ ...old, state: 'delivered' }]);
    asked[0]?.answer();
    await turns();
    expect(followed.getSnapshot()?.state).toBe('delivered');
  });

  it('listens while somebody listens, once, and without an id or an outbox not at all', () => {
    const { outbox, listening } = fakeOutbox();
    const followed = followEntry(outbox, 'a');
    const listener = (): void => undefined;
    const stops = [followed.subscribe(listener), followed.subscribe(listener)];
    expect(listening()).toBe(1);
    stops[0]?.();
    stops[0]?.();
    expect(listening()).toBe(1);
    stops[1]?.();
    expect(listening()).toBe(0);

    followEntry(outbox, undefined).subscribe(listener);
    followEntry(null, 'a').subscribe(listener);
    expect(listening()).toBe(0);
  });
});
