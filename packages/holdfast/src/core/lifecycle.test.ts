import { describe, expect, it } from 'vitest';
import type { State } from './entry';
import { advance, canMove, type Move } from './lifecycle';

const states: State[] = ['pending', 'sending', 'delivered', 'dead'];
const moves: Move[] = ['claim', 'release', 'deliver', 'refuse', 'expire', 'cancel', 'replay', 'purge'];

/** Every move there is, written down apart from the table. */
const allowed: Record<State, Partial<Record<Move, State | 'gone'>>> = {
  pending: { claim: 'sending', deliver: 'delivered', refuse: 'dead', expire: 'dead', cancel: 'dead', purge: 'gone' },
  sending: {
    claim: 'sending',
    release: 'pending',
    deliver: 'delivered',
    refuse: 'dead',
    cancel: 'dead',
    purge: 'gone',
  },
  delivered: { purge: 'gone' },
  dead: { replay: 'pending', deliver: 'delivered', purge: 'gone' },
};

describe('the life of an entry', () => {
  it.each(states.flatMap((from) => moves.map((move) => [from, move] as const)))('from %s by %s', (from, move) => {
    const to = allowed[from][move];
    expect(canMove(from, move)).toBe(to !== undefined);
    if (to !== undefined && to !== 'gone') expect(advance(from, move as Exclude<Move, 'purge'>)).toBe(to);
    else {
      const act = (): State => advance(from, move as Exclude<Move, 'purge'>);
      expect(act).toThrow(expect.objectContaining({ code: 'illegal-move' }) as Error);
      expect(act).toThrow(`cannot ${move} a request that is ${from}`);
    }
  });
});
