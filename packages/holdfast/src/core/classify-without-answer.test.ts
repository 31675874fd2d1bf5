import { describe, expect, it } from 'vitest';
import { judged, sampleAttempt } from '../testing/sample-attempt';
import type { AnswerClass } from './answer-class';
import { type AttemptFacts, type ClassifyOptions, defaultClassify, overruled } from './classify';

const noAnswer: AttemptFacts = { ...sampleAttempt, status: 0, type: '', url: '', contentType: null };
const classOf = (change: Partial<AttemptFacts>, options: Partial<ClassifyOptions> = {}): AnswerClass =>
  judged(change, options).class;

describe('no answer', () => {
  it('while others get through is the request’s own failure, of unknown outcome', () => {
    expect(judged({ ...noAnswer, kind: 'network' })).toMatchObject({
      class: 'network',
      final: 'retry',
      counted: true,
      pausesOrigin: false,
      unknown: true,
      why: 'the request failed while others get through',
    });
  });

  it.each(['offline', 'unknown'] as const)(
    'while it is %s whether anything gets through costs nothing',
    (connectivity) => {
      expect(judged({ ...noAnswer, kind: 'network', connectivity })).toMatchObject({
        class: 'offline',
        final: 'retry',
        counted: false,
        unknown: true,
        why: 'nothing reaches a server now',
      });
    },
  );

  it('in time is a timeout, of unknown outcome, and free of charge only on a dead link', () => {
    for (const [connectivity, counted] of [
      ['online', true],
      ['unknown', true],
      ['offline', false],
    ] as const) {
      expect(judged({ ...noAnswer, kind: 'timeout', connectivity })).toMatchObject({
        class: 'timeout',
        final: 'retry',
        counted,
        unknown: true,
        why: 'no answer came in time',
      });
    }
  });

  it('in the moment after a resume costs nothing', () => {
    expect(judged({ ...noAnswer, kind: 'network', settling: true })).toMatchObject({
      class: 'network',
      counted: false,
    });
    expect(judged({ ...noAnswer, kind: 'timeout', settling: true })).toMatchObject({
      class: 'timeout',
      counted: false,
    });
    // An answer is an answer.
    expect(judged({ status: 500, settling: true })).toMatchObject({ class: 'server', counted: true });
    expect(judged({ status: 500, connectivity: 'offline' })).toMatchObject({ class: 'server', counted: true });
  });

  it('because it never left the device leaves no doubt', () => {
    const stayed = { ...noAnswer, kind: 'network' as const, connectivity: 'offline' as const };
    expect(judged({ ...stayed, neverLeft: true })).toMatchObject({ class: 'offline', counted: false, unknown: false });
    expect(judged({ ...stayed, neverLeft: false })).toMatchObject({ unknown: true });
    // A server that answered others meanwhile says that the platform was wrong.
    expect(judged({ ...stayed, neverLeft: true, connectivity: 'online' })).toMatchObject({
      class: 'network',
      unknown: true,
    });
    expect(judged({ ...stayed, kind: 'timeout', neverLeft: true })).toMatchObject({ class: 'timeout', unknown: true });
  });

  it('because we broke it off costs nothing and leaves the outcome unknown', () => {
    expect(judged({ ...noAnswer, kind: 'aborted' })).toMatchObject({
      class: 'network',
      final: 'retry',
      counted: false,
      unknown: true,
      why: 'the attempt was broken off on this side',
    });
  });

  it('is what an error response stands for', () => {
    expect(classOf({ ...noAnswer, type: 'error' })).toBe('network');
    expect(classOf({ ...noAnswer, type: 'error', connectivity: 'offline' })).toBe('offline');
    expect(classOf({ ...noAnswer, type: 'basic', connectivity: 'offline' })).toBe('offline');
  });
});

describe('an answer that cannot be read', () => {
  it('is done as far as anybody can tell, and something else by option', () => {
    const opaque = { ...noAnswer, kind: 'answer' as const, type: 'opaque' };
    expect(judged(opaque)).toMatchObject({ class: 'unverified', final: 'deliver', why: 'the answer cannot be read' });
    expect(classOf(opaque, { verdicts: { opaque: 'server' } })).toBe('server');
  });
});

describe('the access network', () => {
  it('that says 511 was never passed: not counted, and the server saw nothing', () => {
    expect(judged({ status: 511, contentType: 'text/html' })).toMatchObject({
      class: 'captive',
      final: 'retry',
      counted: false,
      pausesOrigin: false,
      unknown: false,
    });
  });
});

describe('a hook’s word', () => {
  it('takes the place of the table', () => {
    expect(overruled('conflict', sampleAttempt)).toEqual({
      class: 'conflict',
      final: 'refuse',
      counted: false,
      pausesOrigin: false,
      unknown: false,
      why: 'the app says so',
      reason: 'conflict',
    });
    expect(overruled('server', sampleAttempt)).toMatchObject({ final: 'retry', counted: true, unknown: true });
    expect(overruled('auth', sampleAttempt, { ...defaultClassify, auth: 'wait' })).toMatchObject({ final: 'retry' });
    expect(overruled('redirected', sampleAttempt)).toMatchObject({ final: 'refuse', reason: 'rejected' });
    expect(overruled('unverified', sampleAttempt)).toMatchObject({ final: 'deliver' });
    expect(overruled('offline', sampleAttempt)).toMatchObject({ final: 'retry', counted: false });
    expect(overruled('in-progress', sampleAttempt)).toMatchObject({ final: 'retry', counted: true });
  });
});
