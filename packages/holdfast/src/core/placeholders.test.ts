import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KeptAnswer } from './entry';
import { answerOf, fillJson, fillText, hasPlaceholder } from './placeholders';

const answer = (body: unknown, headers: KeptAnswer['headers'] = []): KeptAnswer => ({
  status: 201,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  truncated: false,
  replayed: false,
  at: 0,
});
const parents = {
  order: answer({ id: 77, name: 'a/b', lines: [{ no: 5 }], gone: null, 'x/y~z': 1, '': 2 }, [
    ['Location', '/orders/77'],
  ]),
};
const id = answerOf('order', { pointer: '/id' });
const unresolved = expect.objectContaining({ code: 'dependency-failed' }) as Error;

describe('a placeholder', () => {
  it('is known in any text, and nothing else is', () => {
    expect(hasPlaceholder(`/orders/${id}`)).toBe(true);
    // Asked twice, the same.
    expect(hasPlaceholder(id)).toBe(true);
    for (const text of ['', '/orders/7', '$answer', '$answer()', '$answer(order,x,id)', '$answer(order,p,a b)']) {
      expect(hasPlaceholder(text)).toBe(false);
    }
  });

  it('survives a URL and JSON unchanged', () => {
    const text = answerOf('order', { pointer: '/a b/"c"/(d)' });
    expect(new URL(`https://x.example/${text}`).pathname).toBe(`/${text}`);
    expect(JSON.stringify(text)).toBe(`"${text}"`);
  });

  it('finds its value again, whatever it is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.jsonValue(), (name, value) => {
        const pointer = `/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`;
        const body = JSON.stringify(Object.fromEntries([[name, value]]));
        const text = answerOf('p', { pointer });
        expect(hasPlaceholder(text)).toBe(true);
        expect(JSON.parse(fillJson(JSON.stringify([text]), { p: answer(body) }))).toEqual(
          JSON.parse(JSON.stringify([value])),
        );
      }),
    );
  });
});

describe('a text', () => {
  it('is filled with values of the answers, by pointer and by header', () => {
    const location = answerOf('order', { header: 'location' });
    expect(fillText(`/a/${id}/b/${id}?to=${location}`, parents)).toBe('/a/77/b/77?to=/orders/77');
    expect(fillText(answerOf('order', { pointer: '/lines/0/no' }), parents)).toBe('5');
    expect(fillText(answerOf('order', { pointer: '/x~1y~0z' }), parents)).toBe('1');
    expect(fillText(answerOf('order', { pointer: '/' }), parents)).toBe('2');
    expect(fillText(answerOf('order', { pointer: '/gone' }), parents)).toBe('null');
    expect(fillText(answerOf('order', { pointer: '/lines' }), parents)).toBe('[{"no":5}]');
    expect(JSON.parse(fillText(answerOf('order', { pointer: '' }), parents))).toMatchObject({ id: 77 });
  });

  it('has values made fit for where they go', () => {
    const name = answerOf('order', { pointer: '/name' });
    expect(fillText(`/x/${name}`, parents, encodeURIComponent)).toBe('/x/a%2Fb');
    expect(fillText(name, parents)).toBe('a/b');
  });

  it('without placeholders stays as it is', () => {
    expect(fillText('/orders?x=$answer', {})).toBe('/orders?x=$answer');
  });
});

describe('JSON', () => {
  it('gets the values themselves where a string is nothing but a placeholder, and text elsewhere', () => {
    const body = { [`key-${id}`]: id, text: `no. ${id}`, list: [id, 1, null, true], deep: { id } };
    expect(JSON.parse(fillJson(JSON.stringify(body), parents))).toEqual({
      'key-77': 77,
      text: 'no. 77',
      list: [77, 1, null, true],
      deep: { id: 77 },
    });
  });
});

describe('a value that is not there', () => {
  it.each([
    ['another entry', answerOf('other', { pointer: '/id' }), /"other" has nothing at "\/id"/],
    ['a missing member', answerOf('order', { pointer: '/nope' }), /nothing at "\/nope".*keepBodyBytes/],
    ['a member of no object', answerOf('order', { pointer: '/id/x' }), /nothing at/],
    ['a member of null', answerOf('order', { pointer: '/gone/x' }), /nothing at/],
    ['what every object has', answerOf('order', { pointer: '/toString' }), /nothing at/],
    ['a missing header', answerOf('order', { header: 'etag' }), /no header "etag".*keepHeaders/],
  ])('(%s) fails the request, and says what to look at', (_what, text, message) => {
    expect(() => fillText(text, parents)).toThrow(unresolved);
    expect(() => fillText(text, parents)).toThrow(message);
    expect(() => fillJson(JSON.stringify([text]), parents)).toThrow(unresolved);
  });

  it('fails it as well where the answer is no JSON or was not kept', () => {
    const { body: _none, ...bare } = answer('');
    for (const kept of [answer('<html>'), bare]) expect(() => fillText(id, { order: kept })).toThrow(unresolved);
  });
});
