import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withMembers, withPairs } from './body-fields';

describe('a fresh member', () => {
  it('takes the place of the old one and of nothing else', () => {
    const json =
      '{ "note" : "\\"csrf\\":\\"x\\"", "n": 12345678901234567890, "in": {"csrf":"deep"}, "csrf" : "old\\"", "z":["csrf","q"] }';
    expect(withMembers(json, { csrf: 'new"' })).toBe(json.replace('"old\\""', '"new\\""'));
  });

  it('is not added where there is none, and replaces strings only', () => {
    for (const json of ['{}', '{"csrf":7}', '{"csrf":{"csrf":"x"}}', '["csrf","x"]', '"csrf"', '']) {
      expect(withMembers(json, { csrf: 'new', constructor: 'no' })).toBe(json);
    }
  });

  it('is read back as it was, and so is every other member, for any object', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.string(),
        fc.string(),
        fc.string(),
        (all, name, old, fresh) => {
          const before = Object.fromEntries([...Object.entries(all), [name, old]]);
          const read: unknown = JSON.parse(withMembers(JSON.stringify(before, null, 1), { [name]: fresh }));
          expect(read).toEqual(JSON.parse(JSON.stringify({ ...before, [name]: fresh })));
        },
      ),
    );
  });
});

describe('a fresh field of a form', () => {
  it('takes the place of the old one, and the rest keeps its letters', () => {
    expect(withPairs('a=1+2&my+token=old%20one&b=%zz&%E0=1&flag', { 'my token': 'n&w' })).toBe(
      'a=1+2&my+token=n%26w&b=%zz&%E0=1&flag',
    );
  });

  it('is not added where there is none', () => {
    expect(withPairs('', { token: 'x' })).toBe('');
    expect(withPairs('tok=1', { token: 'x' })).toBe('tok=1');
  });
});
