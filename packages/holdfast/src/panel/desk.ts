import type { EntryView, OutboxSnapshot } from '../core/snapshot';
import type { EntryContent, Outbox } from '../page/client';
import type { PanelClock } from './clock';
import type { Draft } from './draft';
import { fill, type Format } from './format';
import type { Group } from './row';
import type { FirstWords } from './words/words';

/** What the list shows; `null` and `''` mean no limit. */
export interface Filter {
  readonly group: Group | null;
  readonly query: string;
  readonly route: string | null;
}

export const everything: Filter = { group: null, query: '', route: null };

/** Entries read from the store beyond the snapshot's window. */
export interface Page {
  readonly entries: readonly EntryView[];
  readonly done: boolean;
  readonly loading: boolean;
  /** Revision of the snapshot they were read at. */
  readonly revision: number;
}

/** Content of an entry, once someone asked to see it. */
export type Shown =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'ready'; readonly content: EntryContent; readonly body: Preview };

/** The body, made ready to be looked at. */
export type Preview =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string; readonly cut: boolean }
  | { readonly kind: 'image'; readonly bitmap: ImageBitmap }
  | { readonly kind: 'other'; readonly type: string; readonly size: number };

/** A question that is open before an act. */
export type Question =
  | { readonly ask: 'cancel'; readonly entry: EntryView }
  | { readonly ask: 'claim' | 'close'; readonly ids: readonly string[]; readonly title: string }
  | { readonly ask: 'fix' | 'edit'; readonly entry: EntryView; readonly draft: Draft; readonly problem: string };

/** What people have done to the panel: nothing of it is in the outbox. */
export interface DeskState {
  readonly filter: Filter;
  readonly expanded: ReadonlySet<string>;
  readonly shown: ReadonlyMap<string, Shown>;
  readonly picked: ReadonlySet<string>;
  readonly pages: ReadonlyMap<Group, Page>;
  readonly question: Question | null;
  /** What went wrong with the last act; `''` for nothing. */
  readonly error: string;
  /** What the live region says. */
  readonly said: string;
  /** Code of the error the last request was refused with, until one is kept again. */
  readonly refused: string | null;
  /** An act is under way. */
  readonly busy: boolean;
}

export const clearDesk: DeskState = {
  filter: everything,
  expanded: new Set(),
  shown: new Map(),
  picked: new Set(),
  pages: new Map(),
  question: null,
  error: '',
  said: '',
  refused: null,
  busy: false,
};

/** What acts work with: the outbox, the words, and the state they may change. */
export interface Desk {
  readonly outbox: Outbox | null;
  readonly assignee: string;
  readonly clock: PanelClock;
  /** With those for what is behind a click, once they are here. */
  readonly words: FirstWords;
  readonly format: Format;
  readonly state: DeskState;
  /** The latest look. */
  readonly snapshot: OutboxSnapshot | null;
  set(change: Partial<DeskState>): void;
  find(id: string): EntryView | undefined;
  /** Every entry the list has now. */
  readonly entries: readonly EntryView[];
}

/** Says something in the live region, also when it is what was said last. */
export function say(desk: Desk, text: string): void {
  desk.set({ said: text === desk.state.said ? `${text}\u00a0` : text });
}

/** Does something with the outbox; what goes wrong is shown, and what `work` returns is said. */
export async function run(desk: Desk, work: (outbox: Outbox) => Promise<string | void>): Promise<void> {
  if (!desk.outbox) return;
  desk.set({ busy: true, error: '' });
  try {
    const said = await work(desk.outbox);
    if (said) say(desk, said);
  } catch (error) {
    const text = errorText(error, desk.words);
    desk.set({ error: text });
    say(desk, text);
  } finally {
    desk.set({ busy: false });
  }
}

/** An error in the panel's words where it has some; the error's own message otherwise. */
export function errorText(error: unknown, { error: words }: FirstWords): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  const own = code !== 'other' && Object.hasOwn(words, code) ? words[code as 'other'] : undefined;
  return own ?? fill(words.other, { message: error instanceof Error ? error.message : String(error) });
}
