/** A value of a structured field, as far as this package tells them apart. */
export type BareItem =
  | { readonly kind: 'integer' | 'decimal' | 'date'; readonly value: number }
  | { readonly kind: 'string' | 'token' | 'bytes' | 'display'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean };

/** A member of a list with its parameters; the inside of an inner list is read over. */
export interface ListMember {
  readonly item: BareItem | { readonly kind: 'inner-list' };
  readonly parameters: ReadonlyMap<string, BareItem>;
}

interface Text {
  readonly text: string;
  at: number;
}

const KEY = /[a-z*][a-z0-9_.*-]*/y;
const OPTIONAL_SPACE = /[ \t]*/y;

/** How each bare item is written; a decimal is tried before an integer, or its fraction would be left over. */
const ITEMS: readonly (readonly [RegExp, (match: RegExpExecArray) => BareItem])[] = [
  [/-?\d{1,12}\.\d{1,3}(?![\d.])/y, ([text]) => ({ kind: 'decimal', value: Number(text) })],
  [/-?\d{1,15}(?![\d.])/y, ([text]) => ({ kind: 'integer', value: Number(text) })],
  [
    /"((?:[ !#-[\]-~]|\\["\\])*)"/y,
    ([, inside = '']) => ({ kind: 'string', value: inside.replace(/\\(["\\])/g, '$1') }),
  ],
  [/[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*/y, ([text]) => ({ kind: 'token', value: text })],
  [/:([A-Za-z0-9+/=]*):/y, ([, inside = '']) => ({ kind: 'bytes', value: inside })],
  [/\?([01])/y, ([, digit]) => ({ kind: 'boolean', value: digit === '1' })],
  [/@(-?\d{1,15})(?![\d.])/y, ([, seconds]) => ({ kind: 'date', value: Number(seconds) })],
  [/%"((?:[ !#$&-~]|%[0-9a-f]{2})*)"/y, ([, inside = '']) => ({ kind: 'display', value: inside })],
];

/**
 * Reads a structured field of type List.
 * @returns the members in order, or null when any part of the field is malformed: then all of it is to be ignored
 * @see RFC 9651 section 4.2.1
 */
export function parseStructuredList(field: string): ListMember[] | null {
  const input: Text = { text: field.replace(/^ +| +$/g, ''), at: 0 };
  const members: ListMember[] = [];
  while (input.at < input.text.length) {
    const member = readMember(input);
    if (!member) return null;
    members.push(member);
    take(OPTIONAL_SPACE, input);
    if (input.at === input.text.length) return members;
    if (!takeChar(',', input)) return null;
    take(OPTIONAL_SPACE, input);
    if (input.at === input.text.length) return null;
  }
  return members;
}

function readMember(input: Text): ListMember | null {
  const item = takeChar('(', input) ? readInnerList(input) : readItem(input);
  const parameters = item && readParameters(input);
  return item && parameters && { item, parameters };
}

function readItem(input: Text): BareItem | null {
  for (const [form, make] of ITEMS) {
    const match = take(form, input);
    if (match) return make(match);
  }
  return null;
}

function readInnerList(input: Text): { kind: 'inner-list' } | null {
  for (;;) {
    const gap = take(/ */y, input)?.[0] ?? '';
    if (takeChar(')', input)) return { kind: 'inner-list' };
    if (gap === '' && input.text[input.at - 1] !== '(') return null;
    if (!readItem(input) || !readParameters(input)) return null;
  }
}

function readParameters(input: Text): Map<string, BareItem> | null {
  const parameters = new Map<string, BareItem>();
  while (takeChar(';', input)) {
    take(/ */y, input);
    const key = take(KEY, input)?.[0];
    if (key === undefined) return null;
    const value: BareItem | null = takeChar('=', input) ? readItem(input) : { kind: 'boolean', value: true };
    if (!value) return null;
    parameters.set(key, value);
  }
  return parameters;
}

function take(form: RegExp, input: Text): RegExpExecArray | null {
  form.lastIndex = input.at;
  const match = form.exec(input.text);
  if (match) input.at += match[0].length;
  return match;
}

function takeChar(char: string, input: Text): boolean {
  if (input.text[input.at] !== char) return false;
  input.at += 1;
  return true;
}
