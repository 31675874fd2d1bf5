import type { EntryView } from '../core/snapshot';
import type { WaitReason } from '../core/wait-reason';
import { fill, type Format } from './format';
import type { TimedWait, FirstWords } from './words/words';

/** The group an entry is listed in. */
export type Group = 'attention' | 'sending' | 'waiting' | 'confirmed' | 'closed';

/** What can be done with an entry now; the panel offers nothing that would be refused. */
export type RowAct = 'cancel' | 'edit' | 'claim' | 'fix' | 'replay' | 'close' | 'export' | 'content' | 'urgency';

/** An entry as one line of the list shows it; all texts are finished. */
export interface Row {
  readonly entry: EntryView;
  readonly group: Group;
  /** The one word for where it stands. */
  readonly state: string;
  /** Why it is not further, in one short sentence; `''` when the state says it all. */
  readonly why: string;
  readonly facts: readonly string[];
}

/** What every text is made with. */
export interface Telling {
  readonly words: FirstWords;
  readonly format: Format;
  /** Epoch ms. */
  readonly now: number;
  /** The store is lost with the page, so "saved" would be untrue. */
  readonly memory?: boolean;
}

export function groupOf(entry: EntryView): Group {
  if (entry.state === 'pending') return 'waiting';
  if (entry.state === 'sending') return 'sending';
  if (entry.state === 'delivered') return 'confirmed';
  return entry.dead?.triage === 'closed' ? 'closed' : 'attention';
}

export function rowOf(entry: EntryView, telling: Telling): Row {
  const { words, format, now } = telling;
  const { finishedAt } = entry;
  return {
    entry,
    group: groupOf(entry),
    state: stateWord(entry, telling),
    why: whyText(entry, telling),
    facts: [
      // That a confirmed one took one attempt is no news.
      ...(entry.tries > (entry.state === 'delivered' ? 1 : 0)
        ? [format.plural(words.count.attempts, entry.tries)]
        : []),
      ...(entry.size > 0 ? [format.bytes(entry.size)] : []),
      finishedAt === undefined
        ? fill(words.text.age, { time: format.span(now - entry.createdAt) })
        : format.relative(Math.min(finishedAt, now), now),
    ],
  };
}

export function stateWord(entry: EntryView, { words: { state }, memory }: Pick<Telling, 'words' | 'memory'>): string {
  switch (entry.state) {
    case 'pending':
      return memory ? state.memory : state.waiting;
    case 'sending':
      return state.sending;
    case 'delivered':
      return entry.verified ? state.confirmed : state.unconfirmed;
    case 'dead':
      if (entry.dead?.triage === 'closed') return state.closed;
      return entry.dead?.triage === 'claimed' ? state.claimed : state.attention;
  }
}

function whyText(entry: EntryView, telling: Telling): string {
  const { words } = telling;
  if (entry.dead) return entry.dead.resolution ?? words.reason[entry.dead.reason];
  if (entry.state === 'delivered') return entry.replayed ? words.text.alreadyDone : '';
  return entry.why ? waitText(entry.why, telling) : '';
}

/** Why an entry waits and until when. A moment that has passed is not told: the next look will have another reason. */
export function waitText(why: WaitReason, telling: Telling): string {
  const { words, now } = telling;
  const text = words.why[`${why.kind as TimedWait}-until`] as string | undefined;
  if (text === undefined || why.until === null || why.until <= now) return words.why[why.kind];
  return fill(text, { time: whenText(why.until, telling) });
}

/** Near moments count down; what is hours away is told by the clock. */
export function whenText(at: number, { format, now }: Telling): string {
  return at - now < 3_600_000 ? format.relative(at, now) : format.clock(at, now);
}

/** What the client will accept for this entry now. */
export function actsOf({ state, outcome, dead }: EntryView): readonly RowAct[] {
  switch (state) {
    case 'pending':
      // With an unknown outcome it may have been received: neither taking it back nor changing it would be true.
      return outcome === 'never-sent' ? ['content', 'edit', 'cancel', 'urgency'] : ['content', 'urgency'];
    case 'sending':
    case 'delivered':
      return ['content'];
    case 'dead': {
      if (dead?.triage === 'closed') return ['content', 'export'];
      const claim: readonly RowAct[] = dead?.triage === 'open' ? ['claim'] : [];
      if (dead?.reason === 'unreadable') return [...claim, 'close', 'export'];
      return ['replay', 'fix', ...claim, 'close', 'content', 'export'];
    }
  }
}
