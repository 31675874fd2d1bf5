import { describe, expect, it } from 'vitest';
import { withFields } from './fresh-body';

const bytes = (text: string) => new TextEncoder().encode(text);
const fields = { token: 'new', file: 'new' };

async function fresh(text: string | Blob, type: string, values: Readonly<Record<string, string>> = fields) {
  const body = await withFields(typeof text === 'string' ? bytes(text) : text, type, values);
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : body;
}

/** An upload as browsers make it. */
const upload = (...parts: readonly (readonly [head: string, content: string])[]) =>
  parts.map(([head, content]) => `--line\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`).join('') +
  '--line--\r\n';
const multipart = 'multipart/form-data; boundary=line';

describe('fresh values for fields of a body', () => {
  it.each([
    ['JSON', 'application/json', '{"a":1,"token":"old"}', '{"a":1,"token":"new"}'],
    ['JSON with a charset', 'application/json;charset=utf-8', '{"token":"old"}', '{"token":"new"}'],
    ['a kind of JSON', 'application/vnd.api+json', '{"token":"old"}', '{"token":"new"}'],
    ['a kind of JSON in capitals', 'Application/LD+JSON', '{"token":"old"}', '{"token":"new"}'],
    ['a form', 'application/x-www-form-urlencoded', 'a=1&token=old', 'a=1&token=new'],
    ['a form with a charset', 'application/x-www-form-urlencoded;charset=UTF-8', 'token=old', 'token=new'],
  ])('go into %s', async (_, type, before, after) => {
    expect(await fresh(before, type)).toBe(after);
    expect(await fresh(new Blob([before]), type)).toBe(after);
  });

  it.each([
    ['text', 'text/plain'],
    ['a type that only begins like JSON', 'application/jsonlines'],
    ['a type that is JSON further on', 'text/plain; of=application/json'],
    ['a type that is a form further on', 'text/plain; of=application/x-www-form-urlencoded'],
    ['an upload further on', 'text/plain; of=multipart/form-data; boundary=line'],
    ['an upload without a boundary', 'multipart/form-data'],
    ['another multipart', 'multipart/form-database; boundary=line'],
    ['no type', ''],
  ])('leave %s as it is', async (_, type) => {
    for (const text of ['{"token":"old"}', 'token=old', upload(['name="token"', 'old'])]) {
      const body = bytes(text);
      expect(await withFields(body, type, fields)).toBe(body);
    }
  });

  it('leave no body, and a body for which there are none, as they are', async () => {
    const body = bytes('{"token":"old"}');
    expect(await withFields(null, 'application/json', fields)).toBeNull();
    expect(await withFields(body, 'application/json', {})).toBe(body);
  });
});

describe('fresh values for parts of an upload', () => {
  it.each([multipart, 'Multipart/Form-Data; charset=utf-8; Boundary="line"', `${multipart}; charset=utf-8`])(
    'go into those that are text and named, wherever they stand: %s',
    async (type) => {
      const before = upload(['name="a"', '1'], ['name="token"', 'old'], ['name="b"', 'token'], ['name="token"', '']);
      const after = upload(['name="a"', '1'], ['name="token"', 'new'], ['name="b"', 'token'], ['name="token"', 'new']);
      expect(await fresh(before, type)).toBe(after);
    },
  );

  it('are written as they are, also when they are longer, empty, or of other letters', async () => {
    for (const value of ['', 'x'.repeat(500), 'grün 💚']) {
      const [before, after] = ['old', value].map((token) => upload(['name="token"', token], ['name="z"', 'last']));
      expect(await fresh(before!, multipart, { token: value })).toBe(after);
    }
  });

  it.each([
    ['a file', upload(['name="file"; filename="a.txt"', 'old'])],
    ['a file with a name in other letters', upload(['name="file"; filename*=UTF-8\'\'a', 'old'])],
    ['a part with a name that every object has', upload(['name="constructor"', 'old'])],
    ['a part without a name', upload(['title="token"', 'old'])],
    [
      'what only looks like a part inside of one',
      upload(['name="a"', 'x\r\n\r\nContent-Disposition: form-data; name="token"']),
    ],
    ['a part that never ends', '--line\r\nContent-Disposition: form-data; name="token"\r\n\r\nold'],
    ['a part without content', '--line\r\nContent-Disposition: form-data; name="token"\r\n--line--\r\n'],
    ['what is no upload', 'token'],
    ['nothing', ''],
  ])('leave %s as it is', async (_, before) => {
    const body = bytes(before);
    expect(await withFields(body, multipart, fields)).toBe(body);
  });

  it('leave a part without content to itself, and fill the next', async () => {
    const empty = '--line\r\nContent-Disposition: form-data; name="token"\r\n';
    expect(await fresh(empty + upload(['name="file"', 'old']), multipart)).toBe(empty + upload(['name="file"', 'new']));
  });

  it('keep every byte of the others', async () => {
    const photo = Uint8Array.from({ length: 1_000 }, (_, nth) => (nth * 7) % 256);
    const [head, tail] = upload(['name="file"; filename="a"', '|'], ['name="token"', 'old']).split('|');
    const body = await withFields(new Blob([bytes(head!), photo, bytes(tail!)]), multipart, fields);
    expect(body).toEqual(new Uint8Array([...bytes(head!), ...photo, ...bytes(tail!.replace('old', 'new'))]));
  });
});
