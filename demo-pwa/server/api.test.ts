import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Photo } from '../wire';
import { draft, photoForm, rig, type Rig } from './testing';

let demo: Rig;
beforeEach(async () => {
  demo = await rig();
});
afterEach(() => demo.close());

describe('notes', () => {
  it('makes a note once for one key, however often it is sent, and gives the same answer', async () => {
    const first = await demo.send('PUT', '/api/notes/n1', 'k1', draft, { 'if-none-match': '*' });
    const second = await demo.send('PUT', '/api/notes/n1', 'k1', draft, { 'if-none-match': '*' });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await second.text()).toBe(await first.text());
    expect(second.headers.get('etag')).toBe('"1"');
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await demo.ledger()).toMatchObject([
      { seq: 1, key: 'k1', method: 'PUT', path: '/api/notes/n1', effect: 'note-created' },
    ]);
  });

  it('makes one row for twenty requests of one key at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => demo.send('POST', '/api/notes', 'same', { ...draft, text: 'at once' })),
    );
    for (const { status } of answers) expect([201, 409]).toContain(status);
    expect(await demo.notes()).toHaveLength(1);
  });

  it('refuses another payload under a key that was used', async () => {
    await demo.send('PUT', '/api/notes/n1', 'k1', draft);
    expect((await demo.send('PUT', '/api/notes/n1', 'k1', { ...draft, rating: 1 })).status).toBe(422);
  });

  it('changes a note only from the version its editor saw', async () => {
    await demo.send('PUT', '/api/notes/n1', 'k1', draft);
    const edited = await demo.send('PUT', '/api/notes/n1', 'k2', { ...draft, rating: 4 }, { 'if-match': '"1"' });
    expect(edited.status).toBe(200);
    expect(edited.headers.get('etag')).toBe('"2"');

    const late = await demo.send('PUT', '/api/notes/n1', 'k3', { ...draft, rating: 5 }, { 'if-match': '"1"' });
    expect(late.status).toBe(412);
    expect(await late.json()).toMatchObject({ title: 'Changed meanwhile', current: { version: 2, rating: 4 } });
    expect(await demo.ledger()).toHaveLength(2);
  });

  it('does not bring back a note that was deleted meanwhile', async () => {
    await demo.send('PUT', '/api/notes/n1', 'k1', draft);
    expect((await demo.send('DELETE', '/api/notes/n1', 'k2', undefined, { 'if-match': '"1"' })).status).toBe(204);
    expect((await demo.send('PUT', '/api/notes/n1', 'k3', draft, { 'if-match': '"1"' })).status).toBe(412);
    expect((await demo.send('DELETE', '/api/notes/n1', 'k4')).status).toBe(404);
    expect(await demo.notes()).toEqual([]);
  });

  it.each([
    ['siteId', { ...draft, siteId: 'nowhere' }],
    ['text', { ...draft, text: 7 }],
    ['rating', { ...draft, rating: 6 }],
    ['createdAt', { ...draft, createdAt: 'yesterday' }],
  ])('says which field is wrong: %s', async (field, body) => {
    const answer = await demo.send('PUT', '/api/notes/n1', 'k1', body);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.json()).toMatchObject({ field });
    expect(await demo.ledger()).toEqual([]);
  });
});

describe('photos', () => {
  it('gives a photo of several MB back byte for byte, and keeps it once', async () => {
    const bytes = new Uint8Array(randomBytes(6 * 1024 * 1024));
    await demo.send('PUT', '/api/notes/n1', 'k1', draft);
    const form = (): FormData => photoForm(bytes);
    const first = await demo.send('POST', '/api/notes/n1/photos?id=p1', 'k2', form());
    const again = await demo.send('POST', '/api/notes/n1/photos?id=p1', 'k2', form());
    expect([first.status, again.status]).toEqual([201, 201]);

    const digest = createHash('sha256').update(bytes).digest('hex');
    expect(await first.json()).toMatchObject([
      { id: 'p1', noteId: 'n1', size: bytes.length, digest },
    ] satisfies Partial<Photo>[]);
    const got = new Uint8Array(await (await fetch(`${demo.url}/api/photos/p1`)).arrayBuffer());
    expect(Buffer.compare(got, bytes)).toBe(0);
    expect((await demo.notes())[0]?.photos).toHaveLength(1);
  });

  it('takes several photos in one form', async () => {
    await demo.send('PUT', '/api/notes/n1', 'k1', draft);
    const form = photoForm(new Uint8Array([1]));
    form.append('photo', new File([new Uint8Array([2, 3])], 'b.png', { type: 'image/png' }));
    const answer = await demo.send('POST', '/api/notes/n1/photos', 'k2', form);
    expect(await answer.json()).toMatchObject([{ size: 1 }, { size: 2 }]);
    expect(await demo.ledger()).toMatchObject([{}, { key: 'k2' }, { key: 'k2' }]);
  });

  it('goes with its note', async () => {
    await demo.send('PUT', '/api/notes/n1', 'k1', draft);
    await demo.send('POST', '/api/notes/n1/photos?id=p1', 'k2', photoForm(new Uint8Array([1])));
    expect((await demo.send('DELETE', '/api/notes/n1/photos/p1', 'k3')).status).toBe(204);
    await demo.send('POST', '/api/notes/n1/photos?id=p2', 'k4', photoForm(new Uint8Array([1])));
    await demo.send('DELETE', '/api/notes/n1', 'k5');
    expect((await fetch(`${demo.url}/api/photos/p1`)).status).toBe(404);
    expect((await fetch(`${demo.url}/api/photos/p2`)).status).toBe(404);
  });

  it('refuses what is no photo, and a photo of no note', async () => {
    await demo.send('PUT', '/api/notes/n1', 'k1', draft);
    const html = photoForm(new Uint8Array([1]), 'text/html');
    expect((await demo.send('POST', '/api/notes/n1/photos', 'k2', html)).status).toBe(415);
    expect((await demo.send('POST', '/api/notes/n1/photos', 'k3', new FormData())).status).toBe(400);
    expect((await demo.send('POST', '/api/notes/n9/photos', 'k4', photoForm(new Uint8Array([1])))).status).toBe(404);
  });
});

describe('sessions', () => {
  const cookieOf = (answer: Response): string => answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';

  it('hands a new device to the first inspector, and lets another one take over', async () => {
    const first = await fetch(`${demo.url}/api/session`);
    expect(await first.json()).toMatchObject({ user: { id: 'ines' } });
    const second = await demo.send('POST', '/api/session', null, { userId: 'tomas' }, { cookie: cookieOf(first) });
    await demo.send('PUT', '/api/notes/n1', 'k1', draft, { cookie: cookieOf(second) });
    expect(await demo.notes()).toMatchObject([{ author: 'tomas' }]);
  });

  it('refuses writes and reads after signing out, and when the server forgot the session', async () => {
    const { headers } = await demo.send('POST', '/api/session', null, { userId: 'tomas' });
    const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
    await fetch(`${demo.url}/__sessions`, { method: 'DELETE' });
    expect((await demo.send('PUT', '/api/notes/n1', 'k1', draft, { cookie })).status).toBe(401);
    const out = cookieOf(await demo.send('DELETE', '/api/session', null, undefined, { cookie }));
    expect((await fetch(`${demo.url}/api/notes`, { headers: { cookie: out } })).status).toBe(401);
    const session = async (cookie: string): Promise<unknown> =>
      (await fetch(`${demo.url}/api/session`, { headers: { cookie } })).json();
    expect(await session(cookie)).toMatchObject({ user: null, ended: true });
    expect(await session(out)).toMatchObject({ ended: false, user: null });
  });

  it('never gives one inspector the answer of another', async () => {
    const tomas = cookieOf(await demo.send('POST', '/api/session', null, { userId: 'tomas' }));
    await demo.send('POST', '/api/notes', 'k1', { ...draft, text: 'from Ines' });
    const answer = await demo.send('POST', '/api/notes', 'k1', { ...draft, text: 'from Tomas' }, { cookie: tomas });
    expect(await answer.json()).toMatchObject({ author: 'tomas', text: 'from Tomas' });
  });
});
