import type { AnswerClass } from '../../core/answer-class';
import type { DeadReason } from '../../core/entry';
import type { OutboxErrorCode } from '../../core/errors';
import type { WaitReason } from '../../core/wait-reason';

/** A text per plural form of the language (`Intl.PluralRules`); `{n}` is the number, written as the language writes it. */
export type Plural = { readonly other: string } & { readonly [form in Intl.LDMLPluralRule]?: string };

/**
 * Every text the panel and the badge show. `{…}` are places the panel fills in. The three states of a request have
 * three different words on purpose: what is saved on this device has not been received by anybody.
 */
export interface Words {
  /** BCP 47 tag: what `Intl` formats numbers, sizes and times by, and the `lang` of the panel's content. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly heading: string;
  /** The word an entry's state is shown by. */
  readonly state: Readonly<
    Record<'waiting' | 'memory' | 'sending' | 'confirmed' | 'unconfirmed' | 'attention' | 'claimed' | 'closed', string>
  >;
  /** Headings of the groups and of the counters that lead to them. */
  readonly group: Readonly<Record<'waiting' | 'sending' | 'attention' | 'confirmed' | 'closed', string>>;
  readonly count: Readonly<Record<'attempts' | 'selected' | 'shown', Plural>>;
  /** One sentence on what happens now. */
  readonly now: Readonly<
    Record<
      | 'looking'
      | 'empty'
      | 'allConfirmed'
      | 'attention'
      | 'sending'
      | 'waiting'
      | 'next'
      | 'offline'
      | 'offlineEmpty'
      | 'paused'
      | 'pausedUntil'
      | 'signIn',
      string
    >
  >;
  readonly notice: Readonly<
    Record<
      'memory' | 'unprotected' | 'noSender' | 'storageFull' | 'full' | 'suspect' | 'container' | 'disconnected',
      string
    >
  >;
  /** Why an entry waits; `…Until` where a moment is known. */
  readonly why: Readonly<Record<WaitReason['kind'] | `${TimedWait}-until`, string>>;
  readonly reason: Readonly<Record<DeadReason, string>>;
  /** What an attempt came to. */
  readonly failure: Readonly<Record<AnswerClass, string>>;
  readonly act: Readonly<
    Record<
      | 'sendNow'
      | 'pause'
      | 'resume'
      | 'signIn'
      | 'cancel'
      | 'edit'
      | 'claim'
      | 'fix'
      | 'replay'
      | 'close'
      | 'export'
      | 'content'
      | 'hideContent'
      | 'select'
      | 'selectAll'
      | 'selectNone'
      | 'showAll'
      | 'more'
      | 'skip'
      | 'dismiss'
      | 'back'
      | 'save'
      | 'saveAndSend'
      | 'add'
      | 'remove',
      string
    >
  >;
  /** Names of fields and facts. */
  readonly label: Readonly<
    Record<
      | 'search'
      | 'route'
      | 'allRoutes'
      | 'triage'
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
      | 'progress'
      | 'replays'
      | 'preview'
      | 'message',
      string
    >
  >;
  /** The eight urgencies of RFC 9218, 0 to 7. */
  readonly urgency: readonly [string, string, string, string, string, string, string, string];
  readonly text: Readonly<
    Record<
      | 'age'
      | 'progressCount'
      | 'left'
      | 'took'
      | 'status'
      | 'noAnswer'
      | 'notCounted'
      | 'alreadyDone'
      | 'keptAnyway'
      | 'noMatch'
      | 'searched'
      | 'emptyGroup'
      | 'loading'
      | 'noBody'
      | 'noPreview'
      | 'cut'
      | 'badJson'
      | 'badUrl'
      | 'badHeader'
      | 'oldest'
      | 'headersHidden'
      | 'partsReadOnly'
      | 'file'
      | 'newKey',
      string
    >
  >;
  /** Title and text of a question before an act that cannot be taken back. */
  readonly ask: Readonly<
    Record<'cancel' | 'cancelText' | 'claim' | 'claimText' | 'close' | 'closeText' | 'fix' | 'edit', string>
  >;
  /** What the live region says. */
  readonly said: Readonly<
    Record<
      | 'allConfirmed'
      | 'offline'
      | 'online'
      | 'paused'
      | 'resumed'
      | 'cancelled'
      | 'claimed'
      | 'fixed'
      | 'closed'
      | 'exported'
      | 'urgency'
      | 'shown',
      string
    > & {
      readonly attention: Plural;
      readonly replayed: Plural;
      readonly bulk: Plural;
      readonly bulkFailed: Plural;
      readonly found: Plural;
    }
  >;
  /** For errors people can do something about; others show the error's own message. */
  readonly error: Readonly<{ readonly other: string } & { readonly [code in OutboxErrorCode]?: string }>;
  readonly badge: Readonly<Record<'attention' | 'waiting', Plural>>;
}

/** Waits that can have a known end. */
export type TimedWait =
  'due-later' | 'not-before' | 'paused' | 'maintenance' | 'origin-paused' | 'breaker-open' | 'offline';

/** Texts to use in place of the language's own, group by group. */
export type WordsReplacement = {
  readonly [K in keyof Words]?: Words[K] extends string | readonly string[] ? Words[K] : Partial<Words[K]>;
};

/** The language's words with some of them replaced. */
export function replaceWords(words: Words, replacement: WordsReplacement): Words {
  const merged: Record<string, unknown> = { ...words };
  for (const [group, texts] of Object.entries(replacement)) {
    const own = merged[group];
    merged[group] = isGroup(own) && isGroup(texts) ? { ...own, ...texts } : texts;
  }
  return merged as unknown as Words;
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
