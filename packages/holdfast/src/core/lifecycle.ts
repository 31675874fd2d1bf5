import type { State } from './entry';
import { OutboxError } from './errors';

/**
 * What can happen to an entry.
 * `claim` takes it for sending, and on `sending` is a takeover: the last sender died with its lease.
 * `release` gives it back; `deliver` and `refuse` are final answers; `expire` and `cancel` end it unsent; `replay` sends a
 * dead one again; `purge` forgets it, by stated retention or a recorded act.
 */
export type Move = 'claim' | 'release' | 'deliver' | 'refuse' | 'expire' | 'cancel' | 'replay' | 'purge';

/** The whole life of a request; `gone` is not stored. A late answer may still deliver a pending or a dead entry. */
const life: Record<State, Partial<Record<Move, State | 'gone'>>> = {
  pending: { claim: 'sending', expire: 'dead', cancel: 'dead', refuse: 'dead', deliver: 'delivered', purge: 'gone' },
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

/** Whether the table has this move. */
export function canMove(from: State, move: Move): boolean {
  return life[from][move] !== undefined;
}

/** The one place a state changes. @throws OutboxError `illegal-move` */
export function advance(from: State, move: Exclude<Move, 'purge'>): State {
  const to = life[from][move];
  if (!to || to === 'gone') throw new OutboxError('illegal-move', `cannot ${move} a request that is ${from}`);
  return to;
}
