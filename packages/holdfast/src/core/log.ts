import type { AnswerClass } from './answer-class';

/** One structured record. `level: 'debug'` ones are off by default. Never carries bodies, headers or keys. */
export interface LogRecord {
  readonly event:
    | 'enqueue'
    | 'attempt'
    | 'retry'
    | 'delivered'
    | 'dead'
    | 'max_retry_exceeded'
    | 'expired'
    | 'hold'
    | 'replay'
    | 'cancel'
    | 'edit'
    | 'triage'
    | 'dropped'
    | 'refused'
    | 'pressure'
    | 'drained'
    | 'pause'
    | 'resume'
    | 'breaker'
    | 'connectivity'
    | 'eviction'
    | 'hook-failed'
    | 'error';
  readonly level: 'info' | 'debug';
  /** Epoch ms. */
  readonly at: number;
  readonly id?: string;
  readonly route?: string;
  readonly class?: AnswerClass;
  readonly status?: number;
  readonly attempt?: number;
  readonly delayMs?: number;
  readonly nextAt?: number;
  readonly queued?: number;
  /** Why: a `DeadReason`, a triage step, or what the act was for. */
  readonly reason?: string;
  readonly message?: string;
}

/** Where log records go. It must not throw; when it does, the record is lost and nothing else happens. */
export type LogSink = (record: LogRecord) => void;
