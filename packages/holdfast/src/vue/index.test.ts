import { effectScope, nextTick, ref } from 'vue';
import { expect, it } from 'vitest';
import { entry, fakeOutbox, turns } from '../follow/fake-outbox.fixture';
import { useEntry, useOutbox, useSubmit } from './index';

it('follows in a bare effect scope at once, and stops with it', () => {
  const { outbox, show, listening } = fakeOutbox();
  show([]);
  const scope = effectScope();
  const seen = scope.run(() => ({ snapshot: useOutbox(outbox), ...useSubmit(outbox, { route: 'notes' }) }));
  expect([seen?.snapshot.value.ready, listening()]).toEqual([true, 2]);
  show([entry('a')]);
  expect([seen?.snapshot.value.entries.length, seen?.submissions.value[0]?.state]).toEqual([1, 'saved']);
  scope.stop();
  expect(listening()).toBe(0);
});

it('follows another entry when the id becomes another', async () => {
  const { outbox, show, listening } = fakeOutbox();
  const id = ref<string>();
  const scope = effectScope();
  const seen = scope.run(() => useEntry(outbox, id));
  show([entry('a'), entry('b', { state: 'sending' })]);
  expect(seen?.value).toBeUndefined();
  id.value = 'b';
  await nextTick();
  expect(seen?.value?.state).toBe('sending');
  id.value = 'gone';
  await nextTick();
  await turns();
  expect([seen?.value, listening()]).toEqual([null, 1]);
  scope.stop();
  expect(listening()).toBe(0);
});
