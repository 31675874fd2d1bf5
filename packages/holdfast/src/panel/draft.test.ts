import { describe, expect, it } from 'vitest';
import type { EntryContent } from '../page/client';
import { addPair, changeDraft, changeOf, openDraft, problemOf, removePair, withSecrets } from './draft';

const content = (body: Blob | null, headers: EntryContent['headers'] = []): EntryContent => ({
  method: 'POST',
  url: 'https://api.example/orders',
  headers,
  body,
});
const json = (text: string): EntryContent =>
  content(new Blob([text], { type: 'application/json' }), [['content-type', 'application/json']]);
const textOf = async (body: unknown): Promise<string> => (body as Blob).text();

describe('a draft', () => {
  it('changes nothing when nothing was changed, so that bytes and key stay', async () => {
    for (const one of [
      json('{"a":1}'),
      content(null),
      content(new Blob(['a=1&b=%20'], { type: 'application/x-www-form-urlencoded' })),
    ]) {
      expect(changeOf(await openDraft(one))).toEqual({});
    }
  });

  it('lays JSON out in lines, and sends what was typed', async () => {
    const draft = await openDraft(json('{"qty":0}'));
    expect(draft.body).toMatchObject({ kind: 'json', text: '{\n  "qty": 0\n}' });
    const change = changeOf(changeDraft(draft, 'body', '{"qty": 2}'));
    expect(await textOf(change.body)).toBe('{"qty": 2}');
    expect((change.body as Blob).type).toBe('application/json');
  });

  it('leaves numbers alone that JavaScript cannot hold', async () => {
    const draft = await openDraft(json('{"id":12345678901234567890}'));
    expect(draft.body).toMatchObject({ text: '{"id":12345678901234567890}' });
  });

  it('edits the fields of a form, also repeated ones', async () => {
    const form = content(new Blob(['tag=a&tag=b&q=x+y'], { type: 'application/x-www-form-urlencoded;charset=UTF-8' }));
    let draft = await openDraft(form);
    draft = changeDraft(draft, 'fields.1.value', 'ü');
    draft = removePair(draft, 'fields', 0);
    draft = changeDraft(addPair(draft, 'fields'), 'fields.2.name', 'new');
    expect(await textOf(changeOf(draft).body)).toBe('tag=%C3%BC&q=x+y&new=');
  });

  it('shows the parts of an upload and leaves them as they are', async () => {
    const form = new FormData();
    form.append('note', 'hello');
    form.append('photo', new File(['12345'], 'a.jpg', { type: 'image/jpeg' }));
    const response = new Response(form);
    const type = response.headers.get('content-type') ?? '';
    const draft = await openDraft(content(await response.blob(), [['Content-Type', type]]));
    expect(draft.body).toEqual({
      kind: 'parts',
      parts: [
        { name: 'note', value: 'hello', file: null },
        { name: 'photo', value: 'a.jpg', file: { type: 'image/jpeg', size: 5 } },
      ],
    });
    expect(changeOf(draft)).toEqual({});
  });

  it('does not open what is no text', async () => {
    const draft = await openDraft(content(new Blob([new Uint8Array([0, 1])], { type: 'application/octet-stream' })));
    expect(draft.body).toEqual({ kind: 'binary', type: 'application/octet-stream', size: 2 });
    expect(await openDraft(content(new Blob(['x'.repeat(1_000_001)], { type: 'text/plain' })))).toMatchObject({
      body: { kind: 'binary' },
    });
  });

  it('refuses what could not be sent', async () => {
    const draft = await openDraft(json('{}'));
    expect(problemOf(draft)).toBeNull();
    expect(problemOf(changeDraft(draft, 'url', 'javascript:alert(1)'))).toMatchObject({ at: 'url' });
    expect(problemOf(changeDraft(draft, 'url', '/relative'))).toMatchObject({ at: 'url' });
    expect(problemOf(changeDraft(draft, 'body', '{"a":}'))).toMatchObject({ at: 'body' });
    expect(problemOf(addPair(draft, 'headers'))).toMatchObject({ at: 'headers' });
    expect(problemOf(changeDraft(draft, 'headers.0.value', '•••'))).toMatchObject({ at: 'headers' });
    expect(problemOf(changeDraft(draft, 'headers.0.value', 'a\r\nb'))).toEqual({
      at: 'headers',
      message: 'content-type',
    });
  });
});

describe('secret headers', () => {
  const shown = content(null, [
    ['authorization', '[redacted]'],
    ['x-trace', '7'],
    ['cookie', '[redacted]'],
  ]);
  const stored: EntryContent['headers'] = [
    ['authorization', 'Bearer abc'],
    ['x-trace', '7'],
    ['cookie', 's=1'],
  ];

  it('stay as stored unless someone changed them, also when others are removed or added', async () => {
    let draft = await openDraft(shown);
    draft = changeDraft(draft, 'headers.2.value', 's=2');
    draft = removePair(draft, 'headers', 1);
    draft = changeDraft(
      changeDraft(addPair(draft, 'headers'), 'headers.2.name', 'x-new'),
      'headers.2.value',
      '[redacted]',
    );
    expect(withSecrets(draft, stored)).toEqual([
      ['authorization', 'Bearer abc'],
      ['cookie', 's=2'],
      ['x-new', '[redacted]'],
    ]);
  });

  it('are not put under another name', async () => {
    const draft = changeDraft(await openDraft(shown), 'headers.0.name', 'x-leak');
    expect(withSecrets(draft, stored)[0]).toEqual(['x-leak', '[redacted]']);
  });
});
