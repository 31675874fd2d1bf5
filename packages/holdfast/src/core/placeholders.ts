import type { KeptAnswer } from './entry';
import { OutboxError } from './errors';

/** Which value of an earlier answer is wanted. */
export type AnswerPart =
  /** RFC 6901, into the JSON body: `/id`, `/items/0/id`. */
  | { readonly pointer: string }
  /** A header the route keeps (`keepHeaders`). */
  | { readonly header: string };

/**
 * Stands for a value that only the answer to an earlier request will bring, in the URL, a header or the JSON (or form, or text)
 * body of a later one. The later request names the earlier in `dependsOn`; it is filled in before its first attempt and is the
 * same on every attempt.
 *
 * @param entryId id of the earlier entry
 * @returns text whose characters survive URLs and JSON unchanged
 */
export function answerOf(entryId: string, part: AnswerPart): string {
  const [kind, name] = 'pointer' in part ? ['p', part.pointer] : ['h', part.header];
  return `$answer(${entryId},${kind},${escaped(name)})`;
}

/** `encodeURIComponent` leaves parentheses as they are, and the first closing one would end the placeholder. */
function escaped(name: string): string {
  return encodeURIComponent(name).replace(/[()]/g, (char) => (char === '(' ? '%28' : '%29'));
}

const placeholder = /\$answer\(([\w-]+),([ph]),([^)\s]*)\)/g;

type Parents = Readonly<Record<string, KeptAnswer>>;

export function hasPlaceholder(text: string): boolean {
  return text.search(placeholder) >= 0;
}

/**
 * Fills the placeholders of a text. @param escape makes a value fit its surroundings (`encodeURIComponent` in a URL)
 * @throws OutboxError `dependency-failed` when the answer has no such value
 */
export function fillText(text: string, parents: Parents, escape: (value: string) => string = (value) => value): string {
  return text.replace(placeholder, (_, id: string, kind: string, name: string) => {
    const value = valueOf(parents, id, kind, decodeURIComponent(name));
    return escape(typeof value === 'string' ? value : JSON.stringify(value));
  });
}

/** Fills JSON text: a string that is nothing but a placeholder becomes the value itself (a number stays a number). */
export function fillJson(json: string, parents: Parents): string {
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const [, id, kind, name] = new RegExp(`^${placeholder.source}$`).exec(value) ?? [];
      if (id !== undefined) return valueOf(parents, id, kind ?? '', decodeURIComponent(name ?? ''));
      return fillText(value, parents);
    }
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [fillText(key, parents), fill(inner)]));
  };
  return JSON.stringify(fill(JSON.parse(json)));
}

function valueOf(parents: Parents, id: string, kind: string, name: string): unknown {
  const answer = parents[id];
  const value = answer && (kind === 'h' ? headerIn(answer, name) : pointed(answer.body, name));
  if (value !== undefined) return value;
  const what =
    kind === 'h'
      ? `no header "${name}" (is it in keepHeaders?)`
      : `nothing at "${name}" (is the answer JSON and within keepBodyBytes?)`;
  throw new OutboxError('dependency-failed', `the answer to "${id}" has ${what}, so this request cannot be completed`);
}

function headerIn({ headers }: KeptAnswer, name: string): string | undefined {
  return headers.find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1];
}

/** RFC 6901. */
function pointed(body: string | undefined, pointer: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(body ?? '');
  } catch {
    return undefined;
  }
  for (const token of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined;
    const name = token.replace(/~1/g, '/').replace(/~0/g, '~');
    if (!Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
