import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mediaType, parseProblem } from './problem';

describe('parseProblem', () => {
  it('reads the five members and leaves extensions out', () => {
    const body = { type: 'https://x/y', title: 'T', status: 403, detail: 'D', instance: '/i', extra: [1] };
    expect(parseProblem('application/problem+json; charset=utf-8', JSON.stringify(body))).toEqual({
      type: 'https://x/y',
      title: 'T',
      status: 403,
      detail: 'D',
      instance: '/i',
    });
  });

  it('takes a member of the wrong type for absent, and an absent type for about:blank', () => {
    const body = '{"type":42,"title":["x"],"status":"403","detail":{},"instance":null}';
    expect(parseProblem('Application/Problem+JSON', body)).toEqual({ type: 'about:blank' });
  });

  it.each([
    ['a list', 'application/problem+json', '[]'],
    ['null', 'application/problem+json', 'null'],
    ['a string', 'application/problem+json', '"x"'],
    ['broken JSON', 'application/problem+json', '{'],
    ['nothing', 'application/problem+json', ''],
    ['another media type', 'application/json', '{"title":"T"}'],
    ['no media type', null, '{"title":"T"}'],
    ['XML', 'application/problem+xml', '<problem/>'],
  ])('finds none in %s', (_what, contentType, body) => {
    expect(parseProblem(contentType, body)).toBeNull();
  });

  it('never throws, whatever the body', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
        const problem = parseProblem('application/problem+json', body);
        expect(problem === null || typeof problem.type === 'string').toBe(true);
      }),
    );
  });
});

describe('mediaType', () => {
  it('drops parameters, case and white space', () => {
    expect(mediaType(' Text/HTML ; charset=utf-8; x')).toBe('text/html');
    expect(mediaType('')).toBe('');
    expect(mediaType(null)).toBe('');
  });
});
