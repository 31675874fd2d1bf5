import type { AnswerClass } from './answer-class';
import { OutboxError } from './errors';

/**
 * Which class a status falls into. Keys are a status (`404`), a decade (`'52x'`), a hundred (`'5xx'`) or `'opaque'` for an
 * answer that cannot be read; the most exact one wins.
 */
export type VerdictTable = Readonly<Record<string, AnswerClass>>;

/**
 * What an answer means where a route does not say otherwise. Whatever is not here is `server`: sent again, never dropped.
 * @see RFC 9110 section 15, RFC 6585 (429, 511), RFC 8470 (425), RFC 4918 (507)
 */
export const defaultVerdicts: VerdictTable = {
  opaque: 'unverified',
  '2xx': 'delivered',
  // Transient though 4xx: the request did not arrive whole, came too early, or went to the wrong connection.
  408: 'server',
  421: 'server',
  425: 'server',
  429: 'overload',
  503: 'overload',
  401: 'auth',
  409: 'conflict',
  412: 'conflict',
  // The access network wants a sign-in; the server never saw the request.
  511: 'captive',
  // Not a matter of time: the method or the version will not be supported a minute later either.
  501: 'rejected',
  505: 'rejected',
  '4xx': 'rejected',
  '5xx': 'server',
};

const classes: Readonly<Record<AnswerClass, true>> = {
  delivered: true,
  unverified: true,
  offline: true,
  captive: true,
  network: true,
  timeout: true,
  server: true,
  overload: true,
  'in-progress': true,
  conflict: true,
  auth: true,
  redirected: true,
  rejected: true,
};

/** Whether a word is one of the classes; for what hooks and configs hand over. */
export function isAnswerClass(word: unknown): word is AnswerClass {
  return typeof word === 'string' && Object.hasOwn(classes, word);
}

/** The class of a status: by the route's own table first, then by the default one. */
export function classOfStatus(status: number | 'opaque', own: VerdictTable = {}): AnswerClass {
  const exact = String(status);
  const names = status === 'opaque' ? [exact] : [exact, `${exact.slice(0, 2)}x`, `${exact.slice(0, 1)}xx`];
  for (const table of [own, defaultVerdicts]) {
    for (const name of names) if (Object.hasOwn(table, name)) return table[name] ?? 'server';
  }
  return 'server';
}

/** @throws OutboxError `bad-option` when a key is no status or a class is none */
export function checkVerdicts(table: VerdictTable): void {
  for (const [name, kind] of Object.entries(table)) {
    if (!/^([1-9](\d\d|\dx|xx)|opaque)$/.test(name)) {
      throw new OutboxError('bad-option', `verdicts has no "${name}"; use a status (404, "52x", "5xx") or "opaque"`);
    }
    if (!isAnswerClass(kind)) {
      const known = Object.keys(classes).join(', ');
      throw new OutboxError('bad-option', `verdicts.${name} must be one of ${known}, got ${String(kind)}`);
    }
  }
}
