import { describe, expect, it } from 'vitest';
import { rulesFor } from './static-routes';

describe('requests that go past the worker', () => {
  it('are reads, when every route takes writes', () => {
    const rules = rulesFor([{ methods: ['POST', 'PUT'] }, { methods: ['DELETE'] }]);
    expect(rules).toEqual([
      { condition: { requestMethod: 'GET' }, source: 'network' },
      { condition: { requestMethod: 'HEAD' }, source: 'network' },
    ]);
  });

  it('are none that a route may want', () => {
    expect(rulesFor([{ methods: ['POST', 'GET'] }])).toEqual([
      { condition: { requestMethod: 'HEAD' }, source: 'network' },
    ]);
    expect(rulesFor([{ methods: ['GET'] }, { methods: ['HEAD'] }])).toEqual([]);
  });
});
