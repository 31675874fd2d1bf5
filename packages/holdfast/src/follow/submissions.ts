import type { Json } from '../core/entry';
import { OutboxError } from '../core/errors';
import type { EntryView, OutboxSnapshot } from '../core/snapshot';
import { markerHeader } from '../core/wire';
import type { Outbox, OutboxInit } from '../page/client';
import { createListeners, type Followed } from './followed';
import { askedOf, isOf, isSame, type Asked, type Item } from './item';
import { stateOf, type Submission } from './submission';

export interface SubmitOptions {
  /** Follows what waits on this route too, whoever made it and whenever: another tab, or this app before a reload. */
  readonly route?: string;
  /**
   * The server has confirmed one or more: the moment to refetch. They stay listed until the promise resolves, so nothing
   * flickers. When it rejects they stay until the next one resolves.
   */
  readonly onConfirmed?: () => unknown;
}

/** What `useSubmit` shows. */
export interface Submissions<Meta = Json> {
  /** What is on its way or needs somebody, in the order it was made; each confirmed one until `onConfirmed` is done. */
  readonly submissions: readonly Submission<Meta>[];
  /** The last one submitted from here, also after it has left the list. */
  readonly latest: Submission<Meta> | null;
}

export interface SubmitActs<Meta = Json> {
  /**
   * Sends through the outbox, as `outbox.fetch` does, and resolves with where it stands then: confirmed, refused, saved on this
   * device, or failed. Never rejects. The route has to answer as `reply: 'queued'` does, which is the default.
   */
  readonly submit: (input: RequestInfo | URL, init?: OutboxInit) => Promise<Submission<Meta>>;
  /** Takes one off the list. What is kept in the outbox stays there. */
  readonly dismiss: (key: string) => void;
}

const nothing = { submissions: [], latest: null } as const;

/** How many answered requests are remembered, to know their entries by when a snapshot comes late. */
const rememberMax = 20;

/**
 * The writes of one component (and of one route): optimistic state that is still there after a reload, since what waits in the
 * outbox says itself what it is about.
 */
export function followSubmissions<Meta = Json>(
  outbox: Outbox | null,
  route?: string,
  onConfirmed: () => unknown = () => undefined,
): Followed<Submissions<Meta>> & SubmitActs<Meta> {
  const items = new Map<string, Item<Meta>>();
  /** Entries that are not listed under their own name. */
  const left = new Set<string>();
  const asked = new Set<Asked>();
  let shown: Submissions<Meta> = nothing;
  let latest: Item<Meta> | undefined;
  let made = 0;
  let inWindow: ReadonlyMap<string, EntryView> = new Map();
  let looking = false;
  let again = false;

  const { subscribe, tell } = createListeners(() => outbox?.subscribe(see) ?? (() => undefined));

  function publish(): void {
    const all = [...items.values()];
    // What has no place in the outbox yet was made last. (Infinity minus Infinity is no order.)
    const seq = ({ now }: Item<Meta>): number => now.entry?.seq ?? Infinity;
    all.sort((a, b) => (seq(a) === seq(b) ? 0 : seq(a) - seq(b)));
    const next = { submissions: all.map(({ now }) => now), latest: latest?.now ?? null };
    const isNews =
      next.latest !== shown.latest ||
      next.submissions.length !== shown.submissions.length ||
      next.submissions.some((one, index) => one !== shown.submissions[index]);
    if (!isNews) return;
    shown = next;
    tell();
  }

  function change(item: Item<Meta>, patch: Partial<Submission<Meta>>): void {
    const next = { ...item.now, ...patch };
    if (!isSame(next, item.now)) item.now = next;
  }

  /** What has become of a kept one; null when it is gone. */
  function place(item: Item<Meta>, entry: EntryView | null): void {
    if (!entry || entry.dead?.triage === 'closed') return void items.delete(item.now.key);
    change(item, { entry, state: stateOf(entry), meta: item.now.meta ?? (entry.meta as Meta | undefined) });
    if (entry.state === 'delivered') void confirm();
  }

  function see(snapshot: OutboxSnapshot): void {
    if (!snapshot.ready) return;
    inWindow = new Map(snapshot.entries.map((entry) => [entry.id, entry]));
    const known = new Set([...items.values()].map(({ id }) => id));
    for (const entry of snapshot.entries) if (!known.has(entry.id) && !left.has(entry.id)) adopt(entry);
    for (const item of [...items.values()]) {
      const entry = item.id === null ? undefined : inWindow.get(item.id);
      if (entry) place(item, entry);
    }
    publish();
    void lookUp();
  }

  /** Somebody else's, or ours from before a reload. */
  function adopt(entry: EntryView): void {
    if (entry.route !== route || entry.state === 'delivered' || entry.dead?.triage === 'closed') return;
    const own = [...asked].find((one) => isOf(one, entry));
    if (own) {
      // An answered one has had its entry now; one that is under way may not have, but it can have only this one.
      left.add(entry.id);
      return void asked.delete(own);
    }
    const meta = entry.meta as Meta | undefined;
    const now = { key: entry.id, state: stateOf(entry), meta, entry, response: null, error: null };
    items.set(entry.id, { id: entry.id, now });
  }

  /** What the window does not show is asked for, one after the other. */
  async function lookUp(): Promise<void> {
    again = true;
    if (looking || !outbox) return;
    looking = true;
    while (again) {
      again = false;
      for (const item of [...items.values()]) {
        if (item.id === null || inWindow.has(item.id) || item.now.state === 'confirmed') continue;
        // While the store cannot be read the last look stands, and the snapshot's status says so.
        const found = await outbox.get(item.id).catch(() => item.now.entry);
        place(item, found ?? null);
      }
    }
    looking = false;
    publish();
  }

  async function confirm(): Promise<void> {
    // After this turn, so that what is confirmed together asks once.
    await Promise.resolve();
    const done = [...items.values()].filter(({ now, told }) => now.state === 'confirmed' && told !== true);
    if (done.length === 0) return;
    for (const item of done) item.told = true;
    try {
      await onConfirmed();
      for (const { now } of done) items.delete(now.key);
      publish();
    } catch (error) {
      for (const item of done) item.told = false;
      reportError(error);
    }
  }

  async function attempt(item: Item<Meta>, input: RequestInfo | URL, init?: OutboxInit): Promise<void> {
    if (!outbox) throw new OutboxError('closed', 'there is no outbox here: on a server nothing can be submitted');
    const own = askedOf(input, init);
    asked.add(own);
    if (asked.size > rememberMax) for (const one of asked) if (one.answeredAt < Infinity) asked.delete(one);
    const response = await outbox.fetch(input, init).finally(() => (own.answeredAt = Date.now()));
    item.id = response.headers.get(markerHeader);
    if (item.id === null) {
      const isDone = response.ok || response.type === 'opaque';
      return change(item, { state: isDone ? 'confirmed' : 'refused', response });
    }
    asked.delete(own);
    // Seen under its own name meanwhile, perhaps.
    items.delete(item.id);
    change(item, { state: 'saved', response });
    const entry = await outbox.get(item.id).catch(() => undefined);
    if (entry) place(item, entry);
  }

  return {
    subscribe,
    getSnapshot: () => shown,
    initial: nothing,
    async submit(input, init) {
      made += 1;
      const meta = init?.outbox?.meta as Meta | undefined;
      const now = { key: `new-${made}`, state: 'sending', meta, entry: null, response: null, error: null } as const;
      const item: Item<Meta> = { id: null, now };
      items.set(now.key, item);
      latest = item;
      publish();
      await attempt(item, input, init).catch((error: unknown) => change(item, { state: 'failed', error }));
      publish();
      if (item.now.state === 'confirmed') void confirm();
      return item.now;
    },
    dismiss(key) {
      const id = items.get(key)?.id;
      if (id != null) left.add(id);
      items.delete(key);
      publish();
    },
  };
}
