import { get } from 'svelte/store';
import { expect, it } from 'vitest';
import { entry, fakeOutbox, turns } from '../follow/fake-outbox.fixture';
import { useEntry, useOutbox, useSubmit } from './index';

it('is a store: tells its value at once and after each change, until nobody listens', async () => {
  const { outbox, show, listening } = fakeOutbox();
  const mine = entry('a');
  const heard: unknown[] = [];
  const stop = useEntry(outbox, 'a').subscribe((now) => heard.push(now?.state));
  show([mine]);
  show([{ ...mine, state: 'delivered' }]);
  stop();
  expect(heard).toEqual([undefined, 'pending', 'delivered']);
  expect(listening()).toBe(0);

  expect(get(useOutbox(outbox)).entries).toHaveLength(1);
  await turns();
  expect(listening()).toBe(0);
});

it('has the present value as `current`, also without an outbox', () => {
  const { outbox, show } = fakeOutbox();
  const snapshot = useOutbox(outbox);
  const none = useSubmit(null);
  expect([snapshot.current.ready, none.current.submissions]).toEqual([false, []]);
  show([]);
  expect(snapshot.current.ready).toBe(true);
});
