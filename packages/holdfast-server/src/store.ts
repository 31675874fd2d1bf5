import type { Answer } from './answer';

/** What a request asks of the store before its handler may run. */
export interface ClaimAsk {
  /** Names principal, method, path, query and key together: 43 characters. */
  readonly id: string;
  readonly fingerprint: string;
  /** Who claims; nobody else has this string. */
  readonly owner: string;
  /** How long the claim holds without a renewal. */
  readonly leaseMs: number;
  /** How long the record is kept, from now until the answer comes, and again from then. */
  readonly retentionMs: number;
  /** How long after that the key is still known to have been used. */
  readonly tombstoneMs: number;
}

/** What became of a claim. All but `claimed` describe the record that was there before. */
export type Claim =
  /** The handler may run. `runs` is 1 for a first run; more after a takeover. */
  | { readonly kind: 'claimed'; readonly runs: number }
  /** Somebody is at it; their lease lasts `leftMs` more. */
  | { readonly kind: 'running'; readonly fingerprint: string; readonly leftMs: number }
  /** Somebody was at it and let the lease run out: whether the work was done is unknown. */
  | { readonly kind: 'unknown'; readonly fingerprint: string; readonly owner: string }
  | { readonly kind: 'done'; readonly fingerprint: string; readonly answer: Answer; readonly answeredAt: number }
  /** The answer's retention is over; the key was used. */
  | { readonly kind: 'gone' };

/** What is known of a key, for those who only ask. */
export type Sighting = Exclude<Claim, { kind: 'claimed' }> | { readonly kind: 'absent' };

/** Counts over the whole store. */
export interface StoreStats {
  readonly running: number;
  readonly unknown: number;
  readonly done: number;
  readonly gone: number;
}

/**
 * Keeps keys and answers. Each method is one atomic step, may be called by many processes at once, and may reject;
 * a rejected call means "not known whether it happened", and the guard treats it so.
 *
 * The contract every store passes is `stores/store.contract.ts`; the moves themselves are in `record.ts`.
 */
export interface Store {
  /** Records the claim if the key is unknown, else says what is there. Never takes over. */
  claim(ask: ClaimAsk): Promise<Claim>;
  /** Claims a record whose lease ran out, if it is still `previousOwner`'s. False: somebody else was faster. */
  takeOver(ask: ClaimAsk, previousOwner: string): Promise<Claim>;
  /** Extends a lease. False: no longer the owner. */
  renew(id: string, owner: string, leaseMs: number): Promise<boolean>;
  /** Keeps the answer for the ask's retention. False: no longer the owner, nothing was written. */
  finish(ask: ClaimAsk, answer: Answer): Promise<boolean>;
  /** Forgets a claim, so that the key may be used again. False: no longer the owner. */
  release(id: string, owner: string): Promise<boolean>;
  /** Looks without changing anything. */
  look(id: string): Promise<Sighting>;
  /** Strips expired answers and forgets old keys, at most `limit` records. Answers how many. */
  sweep(limit: number): Promise<number>;
  stats(): Promise<StoreStats>;
  /** Frees what the store itself opened. */
  close(): Promise<void>;
}
