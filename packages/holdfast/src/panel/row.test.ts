import { describe, expect, it } from 'vitest';
import type { WaitReason } from '../core/wait-reason';
import { attempt, deadEntry, deliveredEntry, entry, noon, sendingEntry } from './fixtures/entries';
import { formatFor } from './format';
import { actsOf, rowOf, waitText, type Telling } from './row';
import { english } from './words/english';

const telling: Telling = { words: english, format: formatFor('en'), now: noon };

describe('a row', () => {
  it('tells saved, sending and confirmed apart', () => {
    expect(rowOf(entry(), telling).state).toBe('Saved on this device');
    expect(rowOf(sendingEntry(), telling).state).toBe('Sending');
    expect(rowOf(deliveredEntry(), telling).state).toBe('Confirmed by server');
  });

  it('does not say saved of what a reload would lose', () => {
    expect(rowOf(entry(), { ...telling, memory: true }).state).toBe('Held in this page');
  });

  it('does not say confirmed of an answer nobody could read', () => {
    expect(rowOf(deliveredEntry({ verified: false }), telling).state).toBe('Sent, answer not readable');
  });

  it('says that the server had done it before', () => {
    expect(rowOf(deliveredEntry({ replayed: true }), telling).why).toBe('The server had done it before.');
  });

  it('tells attempts, size and age', () => {
    const facts = rowOf(entry({ tries: 2, history: [attempt()], size: 1_412_000 }), telling).facts;
    expect(facts).toEqual(['2 attempts', '1.4 MB', '3 min old']);
    expect(rowOf(entry({ size: 0, createdAt: noon + 5_000 }), telling).facts).toEqual(['0 sec old']);
  });

  it('tells why a dead one died, and how a closed one was settled', () => {
    expect(rowOf(deadEntry(), telling)).toMatchObject({ state: 'Needs attention', why: 'The server refused it' });
    expect(rowOf(deadEntry({}, { triage: 'claimed', assignee: 'Ada' }), telling).state).toBe('Being looked after');
    const closed = rowOf(deadEntry({}, { triage: 'closed', resolution: 'Entered by hand' }), telling);
    expect(closed).toMatchObject({ group: 'closed', state: 'Closed', why: 'Entered by hand' });
  });
});

describe('why it waits', () => {
  const kinds = Object.keys(english.why).filter((kind) => !kind.endsWith('-until')) as WaitReason['kind'][];

  it.each(kinds)('has words for %s, with and without a moment', (kind) => {
    const without = waitText({ kind, until: null }, telling);
    expect(without).not.toContain('{');
    const timed = waitText({ kind, until: noon + 12_000 }, telling);
    if (`${kind}-until` in english.why) expect(timed).toMatch(/in 12 seconds$/);
    else expect(timed).toBe(without);
  });

  it('does not count down to a moment that has passed', () => {
    expect(waitText({ kind: 'due-later', until: noon }, telling)).toBe('Will be tried again');
  });

  it('tells what is hours away by the clock', () => {
    const text = waitText({ kind: 'origin-paused', until: noon + 7_200_000 }, telling);
    expect(text).toBe(`The server asked to wait, goes on ${formatFor('en').clock(noon + 7_200_000, noon)}`);
  });
});

describe('what can be done', () => {
  it('offers to take back or change only what never left', () => {
    expect(actsOf(entry())).toEqual(['content', 'edit', 'cancel', 'urgency']);
    expect(actsOf(entry({ outcome: 'unknown' }))).toEqual(['content', 'urgency']);
    expect(actsOf(sendingEntry())).toEqual(['content']);
    expect(actsOf(deliveredEntry())).toEqual(['content']);
  });

  it('offers the five steps for a dead one, and claiming only once', () => {
    expect(actsOf(deadEntry())).toEqual(['replay', 'fix', 'claim', 'close', 'content', 'export']);
    expect(actsOf(deadEntry({}, { triage: 'claimed' }))).not.toContain('claim');
    expect(actsOf(deadEntry({}, { triage: 'closed' }))).toEqual(['content', 'export']);
  });

  it('does not offer to send what cannot be read', () => {
    expect(actsOf(deadEntry({}, { reason: 'unreadable' }))).toEqual(['claim', 'close', 'export']);
  });
});
