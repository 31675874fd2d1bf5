/** Everything this package throws by itself, and what to do about it: see `docs/server.md`. */
export type HoldfastServerErrorCode = 'bad-option' | 'lease-lost' | 'store-busy' | 'store-full' | 'store-unavailable';

/**
 * The only class this package throws. Branch on `code`; the message is for people and may change.
 * What a store or a handler throws travels on unchanged, or as the `cause` of one of these.
 */
export class HoldfastServerError extends Error {
  override readonly name = 'HoldfastServerError';
  readonly code: HoldfastServerErrorCode;

  constructor(code: HoldfastServerErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
