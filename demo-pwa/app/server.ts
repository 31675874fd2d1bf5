import type { Note, Session, Site } from '../wire';
import { save, savedAtHeader, savedReads } from '../worker/saved-reads';

/** What the API said last, and how fresh that is. */
export interface ServerView {
  readonly sites: readonly Site[];
  readonly notes: readonly Note[];
  /** When the reading of `notes` began, epoch ms; 0: never read. What was delivered later is not in them. */
  readonly fetchedAt: number;
  /** `saved`: the API did not answer, this is the worker's copy. `none`: there is no copy either. */
  readonly source: 'live' | 'saved' | 'none';
  /** The API wants somebody to sign in. */
  readonly refused: boolean;
}

export const nothingRead: ServerView = { sites: [], notes: [], fetchedAt: 0, source: 'none', refused: false };

/** Reads the round. What cannot be read stays as it was; only the word on its freshness changes. */
export async function readRound(before: ServerView): Promise<ServerView> {
  const startedAt = Date.now();
  const [sites, notes] = await Promise.all([read<Site[]>('/api/sites'), read<Note[]>('/api/notes')]);
  if (sites.kind === 'refused' || notes.kind === 'refused') return { ...before, refused: true };
  if (sites.kind === 'failed' || notes.kind === 'failed') {
    return { ...before, source: before.fetchedAt > 0 ? 'saved' : 'none', refused: false };
  }
  const savedAt = notes.savedAt ?? sites.savedAt;
  return {
    sites: sites.value,
    notes: notes.value,
    fetchedAt: savedAt ?? startedAt,
    source: savedAt === null ? 'live' : 'saved',
    refused: false,
  };
}

/** What one read came to. */
type Reading<T> =
  | {
      readonly kind: 'read';
      readonly value: T;
      /** Set when it is the worker's copy, epoch ms. */ readonly savedAt: number | null;
    }
  | { readonly kind: 'refused' }
  | { readonly kind: 'failed' };

async function read<T>(path: string, keep = true): Promise<Reading<T>> {
  try {
    const sentAt = Date.now();
    const response = await fetch(path);
    if (response.status === 401) return { kind: 'refused' };
    // A portal answers 200 with a page of its own.
    if (!response.ok || !response.headers.get('content-type')?.startsWith('application/json'))
      return { kind: 'failed' };
    // What is on the screen must be there after a reload without a network, also on the first visit.
    if (keep && !navigator.serviceWorker?.controller) {
      await save(new Request(path), response.clone(), sentAt).catch(() => undefined);
    }
    const savedAt = response.headers.get(savedAtHeader);
    return { kind: 'read', value: (await response.json()) as T, savedAt: savedAt === null ? null : Number(savedAt) };
  } catch {
    return { kind: 'failed' };
  }
}

const remembered = 'round-session';

/**
 * Who is signed in. Without the API, or when that has ended the session by itself: who was last time, since nobody else
 * can have taken over.
 *
 * @returns null when that is not known either
 */
export async function readSession(): Promise<Session | null> {
  const answer = await read<Session>('/api/session', false);
  if (answer.kind !== 'read') return recall();
  if (answer.value.ended) return { ...answer.value, user: recall()?.user ?? null };
  localStorage.setItem(remembered, JSON.stringify(answer.value));
  return answer.value;
}

/** @throws Error for people, when the API does not answer: nobody can change places offline */
export async function changeSession(userId: string | null): Promise<Session> {
  const init =
    userId === null
      ? { method: 'DELETE' }
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ userId }) };
  const response = await fetch('/api/session', init).catch(() => undefined);
  if (!response?.ok || response.redirected) {
    throw new Error(userId === null ? 'Signing out needs a connection.' : 'Signing in needs a connection.');
  }
  const session = (await response.json()) as Session;
  localStorage.setItem(remembered, JSON.stringify(session));
  await caches.delete(savedReads);
  return session;
}

function recall(): Session | null {
  try {
    return JSON.parse(localStorage.getItem(remembered) ?? 'null') as Session | null;
  } catch {
    return null;
  }
}
