import { describe, expect, it } from 'vitest';
import { openGates } from './control';
import { gateOf, standing } from './gates';

const bucket = 'ann\nhttps://api.example\norders\n3';
const keeper = { subject: 'ann', windowsOf: () => [] };

describe('the gate of a bucket', () => {
  it('is open where nothing holds it', () => {
    expect(gateOf(bucket, openGates, keeper, 5)).toBeNull();
  });

  it('is shut for everybody but the one who is signed in', () => {
    expect(gateOf(bucket, openGates, { ...keeper, subject: 'bob' }, 5)).toEqual({ kind: 'other-subject', until: null });
    expect(gateOf(bucket, openGates, { ...keeper, subject: null }, 5)).toEqual({ kind: 'other-subject', until: null });
  });

  it('is shut for who has to sign in first', () => {
    expect(gateOf(bucket, { ...openGates, signIn: { ann: { since: 1 } } }, keeper, 5)).toEqual({
      kind: 'sign-in',
      until: null,
    });
    expect(gateOf(bucket, { ...openGates, signIn: { bob: { since: 1 } } }, keeper, 5)).toBeNull();
  });

  it('is shut by a pause of all or of its route, the pause of all first', () => {
    const routes = { orders: { until: 9 } };
    expect(gateOf(bucket, { ...openGates, routes }, keeper, 5)).toEqual({ kind: 'paused', until: 9 });
    expect(gateOf(bucket, { ...openGates, routes, all: { until: null, why: 'audit' } }, keeper, 5)).toEqual({
      kind: 'paused',
      until: null,
      detail: 'audit',
    });
    expect(gateOf(bucket, { ...openGates, routes: { photos: { until: 9 } } }, keeper, 5)).toBeNull();
    expect(gateOf(bucket, { ...openGates, routes }, keeper, 9)).toBeNull();
  });

  it('is shut in its route’s maintenance', () => {
    const windowsOf = (route: string) => (route === 'orders' ? [{ from: 5, to: 8 }] : []);
    expect(gateOf(bucket, openGates, { ...keeper, windowsOf }, 5)).toEqual({ kind: 'maintenance', until: 8 });
    expect(gateOf(bucket, openGates, { ...keeper, windowsOf }, 8)).toBeNull();
  });
});

describe('a pause', () => {
  it('lasts until its end, or until it is lifted', () => {
    expect(standing({ until: 9 }, 8)).toEqual({ until: 9 });
    expect(standing({ until: 9 }, 9)).toBeNull();
    expect(standing({ until: null }, 1e15)).toEqual({ until: null });
    expect(standing(undefined, 5)).toBeNull();
  });
});
