import { describe, expect, it } from 'vitest';
import { asOutboxError, OutboxError } from './errors';

describe('OutboxError', () => {
  it('carries a code, a message for people and the cause', () => {
    const cause = new Error('disk');
    const error = new OutboxError('full', 'make room', { cause });
    expect(error).toBeInstanceOf(Error);
    expect({ name: error.name, code: error.code, message: error.message, cause: error.cause }).toEqual({
      name: 'OutboxError',
      code: 'full',
      message: 'make room',
      cause,
    });
  });
});

describe('asOutboxError', () => {
  it('leaves ours as they are', () => {
    const ours = new OutboxError('full', 'make room');
    expect(asOutboxError(ours, 'unreadable', 'x')).toBe(ours);
  });

  it('puts ours around anything else that was thrown, and tells what it was', () => {
    const theirs = new TypeError('boom');
    expect(asOutboxError(theirs, 'hook-failed', 'the hook threw')).toMatchObject({
      code: 'hook-failed',
      message: 'the hook threw (TypeError: boom)',
      cause: theirs,
    });
    expect(asOutboxError('no', 'hook-failed', 'the hook threw')).toMatchObject({
      message: 'the hook threw (no)',
      cause: 'no',
    });
  });
});
