/** Every refusal of ours. The names are part of the wire (`docs/wire.md`) and never change their meaning. */
export type ProblemCode =
  | 'key-missing'
  | 'key-malformed'
  | 'key-reused'
  | 'in-progress'
  | 'outcome-unknown'
  | 'key-expired'
  | 'body-too-large'
  | 'failed-after-commit'
  | 'store-unavailable'
  | 'not-attempted'
  | 'batch-malformed';

/** The `type` of a problem is this, followed by its code. */
export const problemTypePrefix = 'urn:holdfast:idempotency:';
