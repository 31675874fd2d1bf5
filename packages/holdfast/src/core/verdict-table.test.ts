import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnswerClass } from './answer-class';
import { checkVerdicts, classOfStatus, defaultVerdicts, isAnswerClass, type VerdictTable } from './verdict-table';

const badOption = expect.objectContaining({ code: 'bad-option' }) as Error;

describe('classOfStatus', () => {
  it.each<[AnswerClass, (number | 'opaque')[]]>([
    ['delivered', [200, 201, 202, 204, 205, 206, 207, 226, 299]],
    ['server', [408, 425, 421, 500, 502, 504, 507, 508, 509, 520, 521, 522, 523, 524, 525, 526, 527, 530, 599]],
    ['overload', [429, 503]],
    ['captive', [511]],
    ['conflict', [409, 412]],
    ['auth', [401]],
    ['rejected', [400, 402, 403, 404, 405, 406, 410, 411, 413, 414, 415, 417, 418, 419, 422, 423, 424, 440, 451, 499]],
    ['rejected', [501, 505]],
    ['unverified', ['opaque']],
  ])('takes for %s: %j', (kind, statuses) => {
    for (const status of statuses) expect(classOfStatus(status), String(status)).toBe(kind);
  });

  it('gives every status from 100 to 999 a class, and what nobody knows is sent again', () => {
    for (let status = 100; status <= 999; status += 1) expect(isAnswerClass(classOfStatus(status))).toBe(true);
    for (const status of [100, 103, 300, 304, 399, 600, 700, 999]) expect(classOfStatus(status)).toBe('server');
  });

  it('goes by a route’s own table first, the most exact entry of it', () => {
    const own: VerdictTable = { 404: 'server', '40x': 'conflict', '4xx': 'auth', '5xx': 'rejected', opaque: 'server' };
    expect(classOfStatus(404, own)).toBe('server');
    expect(classOfStatus(409, own)).toBe('conflict');
    expect(classOfStatus(422, own)).toBe('auth');
    expect(classOfStatus(503, own)).toBe('rejected');
    expect(classOfStatus('opaque', own)).toBe('server');
    expect(classOfStatus(200, own)).toBe('delivered');
  });

  it('reads no class out of what every object has', () => {
    expect(classOfStatus(404, Object.create({ 404: 'delivered' }) as VerdictTable)).toBe('rejected');
    expect(isAnswerClass('toString')).toBe(false);
    expect(isAnswerClass(undefined)).toBe(false);
    expect(isAnswerClass('in-progress')).toBe(true);
  });

  it('has the own entry win for every status and class', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 999 }),
        fc.constantFrom<AnswerClass[]>('delivered', 'rejected', 'offline'),
        (status, kind) => {
          expect(classOfStatus(status, { [status]: kind })).toBe(kind);
          expect(classOfStatus(status, { [`${Math.floor(status / 10)}x`]: kind })).toBe(kind);
          expect(classOfStatus(status, { [`${Math.floor(status / 100)}xx`]: kind })).toBe(kind);
        },
      ),
    );
  });
});

describe('checkVerdicts', () => {
  it('accepts the default table and every form of key', () => {
    expect(() => checkVerdicts(defaultVerdicts)).not.toThrow();
    expect(() => checkVerdicts({ 999: 'server', '99x': 'server', '9xx': 'server', opaque: 'delivered' })).not.toThrow();
  });

  it.each(['4x', '40xx', 'x404', '4040', '044', '0xx', 'opaques', '', 'toString', '4x4'])(
    'refuses the key %j',
    (key) => {
      expect(() => checkVerdicts({ [key]: 'server' })).toThrow(badOption);
      expect(() => checkVerdicts({ [key]: 'server' })).toThrow(`verdicts has no "${key}"`);
    },
  );

  it('refuses a class that is none, naming those there are', () => {
    expect(() => checkVerdicts({ 404: 'ignore' as AnswerClass })).toThrow(badOption);
    expect(() => checkVerdicts({ 404: 'ignore' as AnswerClass })).toThrow(
      /verdicts\.404.*delivered, unverified.*ignore/,
    );
  });
});
