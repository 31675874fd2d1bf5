import { noCounts } from '../core/control';
import type { Entry } from '../core/entry';
import { viewOf, type EntryView, type OutboxSnapshot } from '../core/snapshot';
import { markerHeader } from '../core/wire';
import type { Outbox, OutboxInit } from '../page/client';
import { sampleEntry } from '../testing/sample-entry';
import { nothingSeen } from './outbox';

/** An outbox as far as the doors know it: a window onto entries, a store behind it, and a network that the test answers for. */
export function fakeOutbox() {
  const listeners = new Set<(snapshot: OutboxSnapshot) => void>();
  const stored = new Map<string, EntryView>();
  const asked: { readonly id: string; answer(): void }[] = [];
  const sent: { readonly init: OutboxInit | undefined; answer(response: Response): void; fail(error: Error): void }[] =
    [];
  let snapshot = nothingSeen;
  let held = false;

  const outbox = {
    subscribe(listener: (snapshot: OutboxSnapshot) => void) {
      listeners.add(listener);
      listener(snapshot);
      return () => void listeners.delete(listener);
    },
    getSnapshot: () => snapshot,
    get: (id: string) =>
      new Promise<EntryView | undefined>((resolve) => {
        const found = stored.get(id);
        asked.push({ id, answer: () => resolve(found) });
        if (!held) resolve(found);
      }),
    fetch: (_input: RequestInfo | URL, init?: OutboxInit) =>
      new Promise<Response>((resolve, reject) => void sent.push({ init, answer: resolve, fail: reject })),
  } as unknown as Outbox;

  return {
    outbox,
    /** What was looked up in the store, in order. */
    asked,
    sent,
    listening: () => listeners.size,
    /** From now on the store answers only when the test says so. */
    hold: () => void (held = true),
    /** Puts entries into the store, and those of them that are named into the window. */
    show(window: readonly EntryView[], others: readonly EntryView[] = []) {
      for (const entry of [...window, ...others]) stored.set(entry.id, entry);
      snapshot = { ...nothingSeen, ready: true, revision: snapshot.revision + 1, counts: noCounts, entries: window };
      for (const listener of [...listeners]) listener(snapshot);
    },
    forget: (id: string) => void stored.delete(id),
  };
}

let made = 0;

/** As a view; each is made after the one before. */
export function entry(id: string, more: Partial<Entry> = {}): EntryView {
  made += 1;
  return viewOf(sampleEntry(made, { id, route: 'notes', ...more }), null);
}

/** The answer of an outbox that kept the request. */
export const kept = (id: string): Response => new Response('{}', { status: 202, headers: { [markerHeader]: id } });

/** Lets everything run that is only waiting for its turn. */
export const turns = async (): Promise<void> => {
  for (let count = 0; count < 20; count += 1) await Promise.resolve();
};
