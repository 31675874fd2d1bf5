export { OutboxError, type OutboxErrorCode } from './errors';
export { defineOutbox } from './define';
export { defaultKeep, defaultKey, defaultLimits } from './options';
export type {
  AnswerView,
  CallOptions,
  ClassifyResult,
  ConflictResult,
  Hooks,
  Keep,
  KeyOptions,
  Limits,
  OutboxConfig,
  Reply,
  RetryPolicy,
  Route,
  SendView,
} from './options';
export { defaultRoute } from './config';
export type { AnswerClass } from './answer-class';
export type {
  Attempt,
  BodyInfo,
  DeadLetter,
  DeadReason,
  Entry,
  Failure,
  Json,
  KeptAnswer,
  Outcome,
  RequestParts,
  State,
} from './entry';
export type { EntryView, OutboxSnapshot, OutboxStatus, Settlement } from './snapshot';
export type { WaitReason } from './wait-reason';
export type { LogRecord, LogSink } from './log';
export type { Metered } from './metered';
export type { RequestFacts } from './request-facts';
export type { Stats } from './stats';
export { backoffMs, defaultBackoff, type Backoff, type Jitter } from './backoff';
export { budgetsFrom, defaultBudgets, type Budgets } from './budget';
export { coverage, planRetries } from './plan';
export { parseHttpDate, parseRetryAfter } from './retry-after';
export { parseRateLimit } from './rate-limit';
export { parseProblem } from './problem';
export { defaultVerdicts, type VerdictTable } from './verdict-table';
export { answerOf, type AnswerPart } from './placeholders';
export { problemTypes } from './problem-types';
