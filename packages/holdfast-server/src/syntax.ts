/** A structured-field String: printable ASCII, `"` and `\` escaped (RFC 9651 section 3.3.3). */
const string = '"(?:[ !#-\\[\\]-~]|\\\\["\\\\])*"';

/** A Display String is percent-encoded UTF-8, and what is no UTF-8 is no Display String (RFC 9651 section 4.2.10). */
const more = '%[89ab][\\da-f]';
const displayString =
  `%"(?:[ !#$&-~]|%[0-7][\\da-f]|%(?:c[2-9a-f]|d[\\da-f])${more}` +
  `|%e(?:0%[ab][\\da-f]|d%[89][\\da-f]|[1-9a-cef]${more})${more}` +
  `|%f(?:0%[9ab][\\da-f]|4%8[\\da-f]|[1-3]${more})${more}${more})*"`;

/** Any bare item a parameter may carry (RFC 9651 section 3.3). */
const bareItem = [
  '-?\\d{1,15}(?![\\d.])',
  '-?\\d{1,12}\\.\\d{1,3}(?!\\d)',
  string,
  "[A-Za-z*][!#$%&'*+\\-.^_`|~\\w:/]*",
  ':(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?:',
  '\\?[01]',
  '@-?\\d{1,15}(?![\\d.])',
  displayString,
].join('|');

const parameter = `; *[a-z*][a-z0-9_\\-.*]*(?:=(?:${bareItem}))?`;

/** Nearly every key there is: no escape, no parameter, no spaces around. Much faster to see than the rest. */
const plainItem = /^"([ !#-[\]-~]*)"$/;

const stringItem = new RegExp(`^ *(${string})(?:${parameter})* *$`);

/** What many APIs use instead of the draft's String: a UUID or a token, without quotes. */
const bareKey = /^[A-Za-z0-9!#$%&'*+\-.^_`|~:/=@]+$/;

/**
 * Reads an `Idempotency-Key` field as the draft has it: one structured-field String, parameters allowed and ignored.
 *
 * @param fieldValue the field's value; several field lines joined with `, ` as HTTP joins them
 * @returns          the decoded key, possibly empty; `null` if the value is no String item
 * @see RFC 9651 sections 3.3.3 and 4.2 (RFC 8941 is the same here) · draft-ietf-httpapi-idempotency-key-header section 2.1
 */
export function parseIdempotencyKey(fieldValue: string): string | null {
  const plain = plainItem.exec(fieldValue)?.[1];
  if (plain !== undefined) return plain;
  const quoted = stringItem.exec(fieldValue)?.[1];
  return quoted === undefined ? null : quoted.slice(1, -1).replace(/\\(.)/g, '$1');
}

/** What the key's field says. */
export type KeyReading =
  | { readonly kind: 'absent' }
  | { readonly kind: 'key'; readonly key: string }
  /** `whyMalformed` in `malformed.ts` says what is wrong with it. */
  | { readonly kind: 'malformed'; readonly text: string };

/**
 * Reads a key leniently in one point only: `k` and `"k"` are the same key.
 *
 * @param fieldValue the field's value, or `null` if the request has no such field
 * @param maxLength  longest key accepted, in characters after decoding
 */
export function readKey(fieldValue: string | null, maxLength: number): KeyReading {
  if (fieldValue === null) return { kind: 'absent' };
  const text = fieldValue.trim();
  const key = text.startsWith('"') ? parseIdempotencyKey(text) : bareKey.test(text) ? text : null;
  return key && key.length <= maxLength ? { kind: 'key', key } : { kind: 'malformed', text };
}
