import type { Answer } from './answer';
import { HoldfastServerError } from './errors';
import type { ClaimAsk } from './store';

/** What a handler knows of the claim it runs under. */
export interface RunContext {
  readonly key: string;
  readonly principal: string | undefined;
  /** 1 for a first run. More: an earlier run's process died, and what it did is not known. */
  readonly runs: number;
  /** What `withIdempotency` writes under. */
  readonly claim: ClaimAsk;
  /** Aborts when the key went to somebody else; the handler should stop and undo what it can. */
  readonly signal: AbortSignal;
  /** "What I did stands." From here on even a 5xx or a throw is kept, since a second run would do it twice. */
  committed(): void;
  /** Said by `withIdempotency` once its transaction has committed: this answer is in the store already. */
  keptInTransaction(answer: Answer): void;
}

/**
 * The context as its run holds it.
 *
 * A class for the sake of `signal`: few handlers want one, and a getter written into an object literal makes V8 lay out
 * every such object by itself and keep it, and with it the whole request, until its next full collection.
 */
export class LiveContext implements RunContext {
  readonly key: string;
  readonly principal: string | undefined;
  readonly runs: number;
  readonly claim: ClaimAsk;
  /** Whether the handler said so. */
  hasCommitted = false;
  /** The answer that is in the store already, if there is one. */
  keptAnswer: Answer | undefined;
  isLost = false;
  #controller: AbortController | undefined;

  constructor(asked: Pick<RunContext, 'key' | 'principal' | 'claim'>, runs: number) {
    this.key = asked.key;
    this.principal = asked.principal;
    this.claim = asked.claim;
    this.runs = runs;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.isLost) this.#abort();
    return this.#controller.signal;
  }

  committed(): void {
    this.hasCommitted = true;
  }

  keptInTransaction(answer: Answer): void {
    this.keptAnswer = answer;
  }

  /** The key is somebody else's. */
  lose(): void {
    this.isLost = true;
    this.#abort();
  }

  #abort(): void {
    this.#controller?.abort(
      new HoldfastServerError('lease-lost', 'the lease ran out and another run owns the key; stop here'),
    );
  }
}
