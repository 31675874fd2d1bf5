import { parseIdempotencyKey } from './syntax';

/** What is wrong with a field that `readKey` refused, in words for the one who sent it. */
export function whyMalformed(text: string, maxLength: number): string {
  if (text === '') return 'the field is empty';
  if (/[^ -~]/.test(text)) return 'the key has a character that is not printable ASCII';
  if (/^"[^"]*"\s*,/.test(text) || (!text.startsWith('"') && text.includes(','))) {
    return 'the field appears more than once, or lists several keys';
  }
  const key = text.startsWith('"') ? parseIdempotencyKey(text) : text;
  if (key === null) return 'the quoted string does not end where it should, or has an escape other than \\" and \\\\';
  if (key === '') return 'the key is empty';
  if (key.length > maxLength) return `the key has ${key.length} characters; at most ${maxLength} are accepted`;
  return 'the key is neither a quoted string nor a bare token';
}
