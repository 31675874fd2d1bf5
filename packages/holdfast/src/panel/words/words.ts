import type { AnswerClass } from '../../core/answer-class';
import type { DeadReason } from '../../core/entry';
import type { OutboxErrorCode } from '../../core/errors';
import type { WaitReason } from '../../core/wait-reason';

/** A text per plural form of the language (`Intl.PluralRules`); `{n}` is the number, written as the language writes it. */
export type Plural = { readonly other: string } & { readonly [form in Intl.LDMLPluralRule]?: string };

type Texts<K extends string> = Readonly<Record<K, string>>;
type Plurals<K extends string> = Readonly<Record<K, Plural>>;

/** Waits that can have a known end. */
export type TimedWait =
  | 'due-later'
  | 'not-before'
  | 'paused'
  | 'maintenance'
  | 'origin-paused'
  | 'breaker-open'
  | 'offline';

/**
 * The texts of what is seen at first. `{…}` are places the panel fills in. The three states of a request have three
 * different words on purpose: what is saved on this device has not been received by anybody.
 */
export interface FirstWords {
  /** BCP 47 tag: what `Intl` formats numbers, sizes and times by, and the `lang` of the panel's content. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly heading: string;
  /** The word an entry's state is shown by. */
  readonly state: Texts<
    'waiting' | 'memory' | 'sending' | 'confirmed' | 'unconfirmed' | 'attention' | 'claimed' | 'closed'
  >;
  /** Headings of the groups and names of the counters that lead to them. */
  readonly group: Texts<'waiting' | 'sending' | 'attention' | 'confirmed' | 'closed'>;
  readonly count: Plurals<'attempts'>;
  /** One sentence on what happens now. */
  readonly now: Texts<
    | 'looking'
    | 'empty'
    | 'allConfirmed'
    | 'attention'
    | 'sending'
    | 'waiting'
    | 'next'
    | 'offline'
    | 'offlineEmpty'
    | 'offlineMemory'
    | 'paused'
    | 'pausedUntil'
    | 'signIn'
  >;
  readonly notice: Texts<
    | 'memory'
    | 'unprotected'
    | 'noSender'
    | 'storageFull'
    | 'full'
    | 'evicted'
    | 'suspect'
    | 'container'
    | 'disconnected'
  >;
  /** Why an entry waits; `…-until` where a moment is known. */
  readonly why: Texts<WaitReason['kind'] | `${TimedWait}-until`>;
  readonly reason: Texts<DeadReason>;
  readonly act: Texts<'sendNow' | 'pause' | 'resume' | 'signIn' | 'select' | 'showAll' | 'skip' | 'dismiss' | 'export'>;
  readonly label: Texts<'counters' | 'progress'>;
  readonly text: Texts<'age' | 'oldest' | 'done' | 'left' | 'alreadyDone' | 'emptyList' | 'emptyGroup' | 'loading'>;
  /** What the live region says. */
  readonly said: Texts<'allConfirmed' | 'offline' | 'online' | 'paused' | 'resumed'> & Plurals<'attention'>;
  readonly badge: Plurals<'attention' | 'waiting'>;
  readonly error: Texts<'other'>;
}

/** The texts of what is behind a click. */
export interface DetailWords {
  readonly count: Plurals<'selected' | 'shown'>;
  /** What an attempt came to. */
  readonly failure: Texts<AnswerClass>;
  /** The eight urgencies of RFC 9218, 0 to 7. */
  readonly urgency: readonly [string, string, string, string, string, string, string, string];
  readonly act: Texts<
    | 'cancel'
    | 'edit'
    | 'claim'
    | 'fix'
    | 'replay'
    | 'close'
    | 'content'
    | 'hideContent'
    | 'selectAll'
    | 'selectNone'
    | 'more'
    | 'back'
    | 'save'
    | 'saveAndSend'
    | 'add'
    | 'remove'
  >;
  /** Names of fields and facts. */
  readonly label: Texts<
    | 'search'
    | 'route'
    | 'allRoutes'
    | 'request'
    | 'created'
    | 'size'
    | 'lane'
    | 'urgency'
    | 'urgencyOfAll'
    | 'expires'
    | 'due'
    | 'finished'
    | 'answer'
    | 'history'
    | 'assignee'
    | 'resolution'
    | 'method'
    | 'url'
    | 'headers'
    | 'name'
    | 'value'
    | 'body'
    | 'fields'
    | 'parts'
    | 'replays'
    | 'preview'
    | 'message'
    | 'file'
  >;
  readonly text: Texts<
    | 'took'
    | 'status'
    | 'noAnswer'
    | 'notCounted'
    | 'keptAnyway'
    | 'noMatch'
    | 'searched'
    | 'noBody'
    | 'noPreview'
    | 'cut'
    | 'badJson'
    | 'badUrl'
    | 'badHeader'
    | 'headersHidden'
    | 'partsReadOnly'
    | 'newKey'
  >;
  /** Title and text of a question before an act that cannot be taken back. */
  readonly ask: Texts<'cancel' | 'cancelText' | 'claim' | 'claimText' | 'close' | 'closeText' | 'fix' | 'edit'>;
  readonly said: Texts<'cancelled' | 'fixed' | 'exported' | 'urgency' | 'shown'> &
    Plurals<'replayed' | 'bulk' | 'bulkFailed'>;
  /** For errors people can do something about; others show the error's own message. */
  readonly error: { readonly [code in OutboxErrorCode]?: string };
}

/** Every text the panel and the badge show. */
export type Words = FirstWords & DetailWords;

/** Texts to use in place of the language's own, group by group. */
export type WordsReplacement = {
  readonly [K in keyof Words]?: Words[K] extends string | readonly string[] ? Words[K] : Partial<Words[K]>;
};

/** The words with some of them replaced, group by group. */
export function replaceWords<W extends object>(words: W, replacement: object): W {
  const merged: Record<string, unknown> = { ...(words as Record<string, unknown>) };
  for (const [group, texts] of Object.entries(replacement)) {
    const own = merged[group];
    merged[group] = isGroup(own) && isGroup(texts) ? { ...own, ...texts } : texts;
  }
  return merged as W;
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
