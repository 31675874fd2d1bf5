import type { EntryChange, EntryContent } from '../page/client';
import { pretty } from './preview';

export interface Pair {
  readonly name: string;
  readonly value: string;
  /** Place in the original list; null for one that was added. */
  readonly from: number | null;
}

export interface Part {
  readonly name: string;
  /** The text of a field, or the name and size of a file. */
  readonly value: string;
  readonly file: { readonly type: string; readonly size: number } | null;
}

/** A request while it is being changed. */
export interface Draft {
  readonly original: EntryContent;
  readonly method: string;
  readonly url: string;
  readonly headers: readonly Pair[];
  readonly body:
    | { readonly kind: 'none' }
    | { readonly kind: 'json' | 'text'; readonly text: string; readonly before: string }
    | { readonly kind: 'form'; readonly fields: readonly Pair[]; readonly before: string }
    | { readonly kind: 'parts'; readonly parts: readonly Part[] }
    | { readonly kind: 'binary'; readonly type: string; readonly size: number };
}

/** What is wrong with a draft, and where. */
export interface Problem {
  readonly at: 'url' | 'headers' | 'body';
  readonly message: string;
}

/** Longer texts are not for a form on a page; they can be exported and sent again from elsewhere. */
const editableBytes = 1_000_000;

/** Reads the content into a draft. JSON is laid out in lines only where that loses nothing. */
export async function openDraft(original: EntryContent): Promise<Draft> {
  const { method, url, headers } = original;
  return {
    original,
    method,
    url,
    headers: headers.map(([name, value], from) => ({ name, value, from })),
    body: await openBody(original),
  };
}

async function openBody({ body, headers }: EntryContent): Promise<Draft['body']> {
  if (!body) return { kind: 'none' };
  // The request's own header, because a blob's type is lower-cased and with it a multipart boundary.
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? body.type;
  const binary = { kind: 'binary', type, size: body.size } as const;
  if (/^multipart\/form-data/i.test(type)) return { kind: 'parts', parts: await readParts(body, type) };
  if (body.size > editableBytes) return binary;
  const text = await body.text();
  if (/^application\/x-www-form-urlencoded/i.test(type)) {
    const fields = [...new URLSearchParams(text)].map(([name, value], from) => ({ name, value, from }));
    return { kind: 'form', fields, before: formText(fields) };
  }
  if (/[/+]json\b/i.test(type) || (type === '' && isJson(text))) {
    return { kind: 'json', text: pretty(text), before: pretty(text) };
  }
  if (/^text\/|[/+]xml\b/i.test(type) || (type === '' && !text.includes('\0')))
    return { kind: 'text', text, before: text };
  return binary;
}

async function readParts(body: Blob, type: string): Promise<readonly Part[]> {
  try {
    const form = await new Response(body, { headers: { 'content-type': type } }).formData();
    return [...form].map(([name, value]) =>
      typeof value === 'string'
        ? { name, value, file: null }
        : { name, value: value.name, file: { type: value.type, size: value.size } },
    );
  } catch {
    // Not readable here (an engine's parser is stricter than the server's): nothing is shown, nothing is changed.
    return [];
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function formText(fields: readonly Pair[]): string {
  return new URLSearchParams(fields.map(({ name, value }) => [name, value])).toString();
}

/** The draft with one field changed: `url`, `method`, `body`, or `headers.2.value`, `fields.0.name`. */
export function changeDraft(draft: Draft, path: string, value: string): Draft {
  if (path === 'url' || path === 'method') return { ...draft, [path]: value };
  const { body } = draft;
  if (path === 'body') {
    return body.kind === 'json' || body.kind === 'text' ? { ...draft, body: { ...body, text: value } } : draft;
  }
  const [list, at = '', part = ''] = path.split('.');
  return changeList(draft, list, (pairs) =>
    pairs.map((pair, n) => (n === Number(at) ? { ...pair, [part]: value } : pair)),
  );
}

export function addPair(draft: Draft, list: string): Draft {
  return changeList(draft, list, (pairs) => [...pairs, { name: '', value: '', from: null }]);
}

export function removePair(draft: Draft, list: string, at: number): Draft {
  return changeList(draft, list, (pairs) => pairs.filter((_, n) => n !== at));
}

function changeList(
  draft: Draft,
  list: string | undefined,
  change: (pairs: readonly Pair[]) => readonly Pair[],
): Draft {
  if (list === 'headers') return { ...draft, headers: change(draft.headers) };
  const { body } = draft;
  return body.kind === 'form' ? { ...draft, body: { ...body, fields: change(body.fields) } } : draft;
}

/** What is wrong with the draft, so that nothing is saved that cannot be sent; null when it can. */
export function problemOf({ url, headers, body }: Draft): Problem | null {
  if (!/^https?:$/.test(protocolOf(url))) return { at: 'url', message: url };
  const bad = headers.find(
    ({ name, value }) => !/^[!#$%&'*+\-.^_`|~\w]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value),
  );
  if (bad) return { at: 'headers', message: bad.name || '–' };
  if (body.kind !== 'json') return null;
  try {
    JSON.parse(body.text);
    return null;
  } catch (error) {
    return { at: 'body', message: error instanceof Error ? error.message : '' };
  }
}

function protocolOf(url: string): string {
  try {
    return new URL(url).protocol;
  } catch {
    return '';
  }
}

/** Only what was changed, so that an untouched body keeps its bytes and with them its key. */
export function changeOf({ original, method, url, headers, body }: Draft): EntryChange {
  const pairs = headers.map(({ name, value }) => [name, value] as const);
  const headersSame = JSON.stringify(pairs) === JSON.stringify(original.headers);
  return {
    ...(method !== original.method && { method }),
    ...(url !== original.url && { url }),
    ...(!headersSame && { headers: pairs }),
    ...changedBody(body, original.body?.type ?? ''),
  };
}

function changedBody(body: Draft['body'], type: string): Pick<EntryChange, 'body'> {
  const text =
    body.kind === 'form' ? formText(body.fields) : body.kind === 'json' || body.kind === 'text' ? body.text : null;
  if (text === null || !('before' in body) || text === body.before) return {};
  return { body: new Blob([text], { type }) };
}

/**
 * The headers with the secret values put back that the person never saw and did not change.
 *
 * @param secret the headers as stored, in the order they were shown redacted
 */
export function withSecrets(draft: Draft, secret: EntryContent['headers']): EntryContent['headers'] {
  return draft.headers.map(({ name, value, from }) => {
    const before = from === null ? undefined : draft.original.headers[from];
    const stored = from === null ? undefined : secret[from];
    const untouched = before?.[0] === name && before[1] === value && stored?.[0] === name;
    return [name, untouched ? stored[1] : value] as const;
  });
}
