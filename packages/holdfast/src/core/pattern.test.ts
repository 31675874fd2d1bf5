import { describe, expect, it } from 'vitest';
import { compilePattern } from './pattern';

const own = 'https://app.example';
const match = (pattern: string, url: string) => compilePattern(pattern)(url, own);

describe('a route’s pattern', () => {
  it('that begins with a slash takes the app’s own origin, and nothing else', () => {
    expect(match('/orders', `${own}/orders`)).toEqual({});
    expect(match('/orders', 'https://other.example/orders')).toBeNull();
    expect(match('/orders', `${own}/orders/7`)).toBeNull();
    expect(match('/orders', `${own}/old/orders`)).toBeNull();
  });

  it('with a scheme takes that origin, and nothing else', () => {
    expect(match('https://api.example/orders', 'https://api.example/orders')).toEqual({});
    expect(match('https://api.example/orders', `${own}/orders`)).toBeNull();
    expect(match('https://api.example/orders', 'https://api.example:8443/orders')).toBeNull();
    expect(match('https://api.example', 'https://api.example/')).toEqual({});
  });

  it('captures one segment for each name, decoded', () => {
    expect(match('/docs/:id', `${own}/docs/a%20b`)).toEqual({ id: 'a b' });
    expect(match('/:kind/:id_2/edit', `${own}/docs/7/edit`)).toEqual({ kind: 'docs', id_2: '7' });
    expect(match('/docs/:id', `${own}/docs/`)).toBeNull();
    expect(match('/docs/:id', `${own}/docs/7/8`)).toBeNull();
    // A broken escape is a value too.
    expect(match('/docs/:id', `${own}/docs/100%25%`)).toEqual({ id: '100%25%' });
  });

  it('takes anything for a star, also nothing and slashes', () => {
    for (const path of ['/api/', '/api/a', '/api/a/b']) expect(match('/api/*', own + path)).toEqual({});
    expect(match('/api*', `${own}/api`)).toEqual({});
    expect(match('/api/*/x', `${own}/api/a`)).toBeNull();
    expect(match('/a/:id/*', `${own}/a/7/b/c`)).toEqual({ id: '7' });
  });

  it('looks at the query only when it has one itself', () => {
    expect(match('/orders', `${own}/orders?x=1`)).toEqual({});
    expect(match('/orders?x=:x', `${own}/orders?x=1`)).toEqual({ x: '1' });
    expect(match('/orders?x=1', `${own}/orders`)).toBeNull();
    expect(match('/orders?x=1', `${own}/orders?x=12`)).toBeNull();
    expect(match('https://api.example/orders?x=*', 'https://api.example/orders?x=12')).toEqual({});
    expect(match('https://api.example/orders?x=*', 'https://api.example/orders')).toBeNull();
  });

  it.each(['.', '+', '(x)', '[x]', '{1}', '|', '$', '^'])('takes %s as it is written', (text) => {
    expect(match(`/a${text}b`, `${own}/a${text}b`)).toEqual({});
    expect(match(`/a${text}b`, `${own}/aXb`)).toBeNull();
  });

  it('must be a path or have an origin', () => {
    for (const pattern of ['orders', '', '*', 'api.example/orders']) {
      expect(() => compilePattern(pattern)).toThrow(expect.objectContaining({ code: 'bad-option' }) as Error);
      expect(() => compilePattern(pattern)).toThrow(`"/" or "https://host", got "${pattern}"`);
    }
  });
});
