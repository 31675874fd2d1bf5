import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judged, sampleAttempt } from '../testing/sample-attempt';
import type { AnswerClass } from './answer-class';
import { type AttemptFacts, type ClassifyOptions } from './classify';
import { problemTypes } from './problem-types';

const classOf = (change: Partial<AttemptFacts>, options: Partial<ClassifyOptions> = {}): AnswerClass =>
  judged(change, options).class;

describe('an answer', () => {
  it.each([200, 201, 202, 204, 205, 226])('of %d is delivered', (status) => {
    expect(judged({ status })).toEqual({
      class: 'delivered',
      final: 'deliver',
      counted: false,
      pausesOrigin: false,
      unknown: false,
      why: `the server answered ${status}`,
    });
  });

  it.each([500, 502, 504, 507, 509, 520, 524, 304, 599, 600, 999])(
    'of %d is sent again, counted, and may have been carried out',
    (status) => {
      const verdict = { class: 'server', final: 'retry', counted: true, pausesOrigin: false, unknown: true };
      expect(judged({ status })).toMatchObject(verdict);
    },
  );

  it.each([408, 421, 425])('of %d is sent again, and was not carried out', (status) => {
    expect(judged({ status })).toMatchObject({ class: 'server', final: 'retry', counted: true, unknown: false });
  });

  it.each([
    [429, false],
    [503, true],
  ])('of %d pauses the origin', (status, unknown) => {
    expect(judged({ status })).toMatchObject({
      class: 'overload',
      final: 'retry',
      counted: true,
      pausesOrigin: true,
      unknown,
    });
  });

  it.each([400, 403, 404, 405, 410, 411, 413, 414, 415, 422, 451, 499, 501, 505])(
    'of %d is refused for good',
    (status) => {
      expect(judged({ status })).toEqual({
        class: 'rejected',
        final: 'refuse',
        counted: false,
        pausesOrigin: false,
        unknown: false,
        why: `the server answered ${status}`,
        reason: 'rejected',
      });
    },
  );

  it.each([409, 412])('of %d is a conflict, never sent again blindly', (status) => {
    expect(judged({ status })).toMatchObject({
      class: 'conflict',
      final: 'refuse',
      counted: false,
      reason: 'conflict',
    });
  });

  it('is given a class and a final decision whatever its status, type and place', () => {
    fc.assert(
      fc.property(
        fc.record({
          status: fc.integer({ min: 100, max: 999 }),
          redirected: fc.boolean(),
          url: fc.constantFrom(sampleAttempt.url, 'https://api.example/other', 'https://portal.example/', ''),
          requestMethod: fc.constantFrom('POST', 'PUT', 'DELETE'),
          requestAccept: fc.constantFrom('application/json', '*/*', null),
          contentType: fc.constantFrom('application/json', 'text/html', null),
          outcomeBefore: fc.constantFrom('never-sent' as const, 'unknown' as const, 'answered' as const),
          connectivity: fc.constantFrom('online' as const, 'offline' as const, 'unknown' as const),
        }),
        fc.constantFrom('wait' as const, 'refuse' as const),
        (change, auth) => {
          const verdict = judged(change, { auth });
          expect(['deliver', 'refuse', 'retry']).toContain(verdict.final);
          expect(verdict.reason !== undefined).toBe(verdict.final === 'refuse');
          // Only what is sent again counts, and only what is sent again is in doubt.
          if (verdict.final !== 'retry') expect([verdict.counted, verdict.unknown]).toEqual([false, false]);
          // Outside the 2xx and a DELETE of what is gone nothing counts as done.
          const gone = [404, 410].includes(change.status) && change.requestMethod === 'DELETE';
          if (verdict.final === 'deliver') expect(Math.floor(change.status / 100) === 2 || gone).toBe(true);
        },
      ),
    );
  });
});

describe('a 409', () => {
  it('is in progress only with a problem type that says so: sent again soon, counted, in doubt', () => {
    const problemType = problemTypes.inProgress;
    expect(judged({ status: 409, problemType })).toMatchObject({
      class: 'in-progress',
      final: 'retry',
      counted: true,
      pausesOrigin: false,
      unknown: true,
      why: 'the server is still working on the same request',
    });
    expect(classOf({ status: 409, problemType: problemTypes.keyReused })).toBe('conflict');
    expect(classOf({ status: 422, problemType })).toBe('rejected');
  });

  it('knows other servers’ problem types by option, and goes before the route’s own table', () => {
    const options = { inProgressTypes: ['urn:busy'], verdicts: { 409: 'delivered' as const } };
    expect(classOf({ status: 409, problemType: 'urn:busy' }, options)).toBe('in-progress');
    expect(classOf({ status: 409, problemType: problemTypes.inProgress }, options)).toBe('delivered');
  });
});

describe('a refusal of credentials', () => {
  it('is final when nobody can renew them', () => {
    expect(judged({ status: 401 })).toMatchObject({ class: 'auth', final: 'refuse', counted: false, reason: 'auth' });
  });

  it('waits for sign-in when somebody can, without cost and without doubt', () => {
    const verdict = judged({ status: 401 }, { auth: 'wait' });
    expect(verdict).toMatchObject({ class: 'auth', final: 'retry', counted: false, unknown: false });
    expect(verdict.reason).toBeUndefined();
  });

  it.each([403, 419, 440])('is seen in %d by option only, and by the route’s own table', (status) => {
    expect(classOf({ status })).toBe('rejected');
    expect(classOf({ status }, { authStatuses: [status] })).toBe('auth');
    expect(classOf({ status }, { verdicts: { [status]: 'auth' } })).toBe('auth');
    expect(classOf({ status }, { authStatuses: [status], verdicts: { [status]: 'server' } })).toBe('server');
  });
});

describe('what the server half says about a key', () => {
  it.each([
    [409, problemTypes.keyExpired, /no longer remembers/],
    [400, problemTypes.keyExpired, /no longer remembers/],
    [409, problemTypes.outcomeUnknown, /does not know/],
    [500, problemTypes.failedAfterCommit, /did it and then could not say/],
  ])('%d %s is held for a person', (status, problemType, why) => {
    const verdict = judged({ status, problemType }, { verdicts: { [status]: 'server' } });
    expect(verdict).toMatchObject({ class: 'rejected', final: 'refuse', reason: 'held' });
    expect(verdict.why).toMatch(why);
  });

  it('may be that its store is down: nothing was done, the origin is left alone', () => {
    expect(judged({ status: 503, problemType: problemTypes.storeUnavailable })).toMatchObject({
      class: 'overload',
      counted: true,
      pausesOrigin: true,
      unknown: false,
    });
  });

  it('may be that it did not begin: nothing was done, and it costs nothing', () => {
    expect(judged({ status: 424, problemType: problemTypes.notAttempted })).toMatchObject({
      class: 'server',
      final: 'retry',
      counted: false,
      unknown: false,
    });
  });

  it.each([
    [422, problemTypes.keyReused],
    [400, problemTypes.keyMissing],
    [400, problemTypes.keyMalformed],
    [400, 'toString'],
  ])('may be that the request is wrong (%d %s): refused', (status, problemType) => {
    expect(judged({ status, problemType })).toMatchObject({ class: 'rejected', final: 'refuse', reason: 'rejected' });
  });

  it('says nothing beside a success', () => {
    expect(classOf({ status: 200, problemType: problemTypes.keyExpired })).toBe('delivered');
  });
});

describe('DELETE of what is not there', () => {
  const gone = { requestMethod: 'DELETE', outcomeBefore: 'unknown' as const };

  it.each([404, 410])('with %d after an attempt of unknown outcome is already done', (status) => {
    expect(judged({ ...gone, status })).toMatchObject({ class: 'delivered', final: 'deliver' });
    expect(judged({ ...gone, status }).why).toContain('an earlier attempt deleted it');
  });

  it('is refused when nothing was sent before, when the server had answered, elsewhere, or for another method', () => {
    expect(classOf({ ...gone, status: 404, outcomeBefore: 'never-sent' })).toBe('rejected');
    expect(classOf({ ...gone, status: 404, outcomeBefore: 'answered' })).toBe('rejected');
    expect(classOf({ ...gone, status: 404, requestMethod: 'PUT' })).toBe('rejected');
    expect(classOf({ ...gone, status: 404, redirected: true })).toBe('rejected');
    expect(classOf({ ...gone, status: 403 })).toBe('rejected');
    expect(classOf({ ...gone, status: 404 }, { verdicts: { 404: 'server' } })).toBe('server');
  });
});
