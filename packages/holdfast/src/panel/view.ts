import type { Counts } from '../core/control';
import type { EntryView, OutboxSnapshot } from '../core/snapshot';
import { fill } from './format';
import { groupOf, whenText, type Group, type Telling } from './row';

/** A counter that also chooses what the list shows. */
export interface Tile {
  readonly group: Group;
  readonly n: number;
  readonly label: string;
}

/** Something people should know about this browser or page. */
export interface Notice {
  readonly code: string;
  readonly tone: 'warn' | 'danger';
  readonly text: string;
}

/** What stands above the list. */
export interface PanelView {
  readonly tone: 'calm' | 'busy' | 'held' | 'attention' | 'done';
  /** What happens now, in one sentence. */
  readonly now: string;
  /** How long the oldest has waited; `''` when nothing waits. */
  readonly oldest: string;
  readonly tiles: readonly Tile[];
  readonly notices: readonly Notice[];
  /** What this browser cannot do, in the status's own (English) words; what a notice tells already is left out. */
  readonly limits: readonly string[];
}

/** The groups of the list, most pressing first. */
export const groups = ['attention', 'sending', 'waiting', 'confirmed'] as const;

/** How many entries of a group the store has. */
export function totalOf(group: Group, counts: Counts): number {
  const { open, sending, pending, delivered, dead } = counts;
  return { attention: open, sending, waiting: pending, confirmed: delivered, closed: dead - open }[group];
}

/**
 * Turns a look at the outbox into what is told above the list. Pure: same look, time and words, same panel.
 *
 * @param refused code of the error the last request was refused with, as long as none was kept since
 */
export function panelView(snapshot: OutboxSnapshot, telling: Telling, refused: string | null = null): PanelView {
  const { words, format, now } = telling;
  const { counts, oldestPendingAt, status } = snapshot;
  const oldest = oldestPendingAt === null ? '' : format.span(now - oldestPendingAt);
  return {
    ...headline(snapshot, telling),
    oldest: oldest && fill(words.text.oldest, { time: oldest }),
    tiles: groups.map((group) => ({ group, n: totalOf(group, counts), label: words.group[group] })),
    notices: snapshot.ready ? noticesOf(snapshot, telling, refused) : [],
    limits: status.limits.filter(({ code }) => code !== 'no-worker').map(({ message }) => message),
  };
}

function headline(snapshot: OutboxSnapshot, telling: Telling): Pick<PanelView, 'tone' | 'now'> {
  const { words, now } = telling;
  const { counts, paused, nextAttemptAt } = snapshot;
  const waiting = counts.pending > 0;
  if (!snapshot.ready) return { tone: 'calm', now: words.now.looking };
  if (snapshot.signInNeeded) return { tone: 'held', now: words.now.signIn };
  if (paused) {
    const timed = paused.until !== null && paused.until > now;
    return {
      tone: 'held',
      now: timed ? fill(words.now.pausedUntil, { time: whenText(paused.until, telling) }) : words.now.paused,
    };
  }
  if (snapshot.connectivity === 'offline') {
    const { offline, offlineEmpty, offlineMemory } = words.now;
    return { tone: 'held', now: telling.memory ? offlineMemory : waiting ? offline : offlineEmpty };
  }
  if (counts.sending > 0) return { tone: 'busy', now: words.now.sending };
  if (waiting) {
    const later = nextAttemptAt !== null && nextAttemptAt > now;
    return {
      tone: 'calm',
      now: later ? fill(words.now.next, { time: whenText(nextAttemptAt, telling) }) : words.now.waiting,
    };
  }
  if (counts.open > 0) return { tone: 'attention', now: words.now.attention };
  if (counts.delivered > 0) return { tone: 'done', now: words.now.allConfirmed };
  return { tone: 'calm', now: words.now.empty };
}

/** Codes of errors and of `status.limits` the panel has its own words for. */
const spoken: ReadonlyMap<string, 'storageFull' | 'full' | 'evicted'> = new Map([
  ['quota-exceeded', 'storageFull'],
  ['full', 'full'],
  ['evicted', 'evicted'],
]);

function noticesOf(
  { status, suspects }: OutboxSnapshot,
  { words: { notice } }: Telling,
  refused: string | null,
): readonly Notice[] {
  const notices = new Map<string, Notice>();
  const tell = (code: string, tone: Notice['tone'], text: string): void => {
    notices.set(code, { code, tone, text });
  };
  for (const code of [refused ?? '', ...status.limits.map((limit) => limit.code)]) {
    const own = spoken.get(code);
    if (own) tell(own, 'danger', notice[own]);
  }
  if (status.durability === 'memory') tell('memory', 'danger', notice.memory);
  if (status.sender === 'none') tell('no-sender', 'warn', notice.noSender);
  else if (!status.protected) tell('unprotected', 'warn', notice.unprotected);
  for (const origin of suspects) tell(`suspect ${origin}`, 'warn', fill(notice.suspect, { origin }));
  return [...notices.values()];
}

/** One entry per id, the later revision of each, as the groups list them: what waits in store order, what is over newest first. */
export function arrange(looks: readonly (readonly EntryView[])[]): ReadonlyMap<Group, readonly EntryView[]> {
  const latest = new Map<string, EntryView>();
  for (const entry of looks.flat()) {
    const known = latest.get(entry.id);
    if (!known || known.revision <= entry.revision) latest.set(entry.id, entry);
  }
  const grouped = new Map<Group, EntryView[]>();
  for (const entry of latest.values()) {
    const group = groupOf(entry);
    const list = grouped.get(group);
    if (list) list.push(entry);
    else grouped.set(group, [entry]);
  }
  for (const [group, list] of grouped) {
    const over = group === 'confirmed' || group === 'closed';
    list.sort((a, b) => (over ? (b.finishedAt ?? 0) - (a.finishedAt ?? 0) || b.seq - a.seq : a.seq - b.seq));
  }
  return grouped;
}
