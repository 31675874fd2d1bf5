import type { NoteView } from './round';

/** What is open on the screen, besides the page the address names. */
export interface Ui {
  /** From the address; null: the list of sites. */
  readonly siteId: string | null;
  /** The outbox's own place: beside the page where there is room, over it where there is none. */
  readonly dock: boolean;
  readonly tab: 'outbox' | 'attempts' | 'simulator';
  readonly breaking: boolean;
  readonly form: { readonly before: NoteView | null; readonly problem: string } | null;
  readonly question: Question | null;
  /** The last thing done, said once. */
  readonly toast: string;
}

/** What a person is asked before something is done. */
export type Question =
  | { readonly ask: 'delete'; readonly note: NoteView }
  | { readonly ask: 'sign-out'; readonly pending: number; readonly dead: number };

export function siteOf(hash: string): string | null {
  return /^#\/sites\/([\w-]+)$/.exec(hash)?.[1] ?? null;
}
