import type { Answer } from './answer';
import type { ProblemCode } from './problem-type';

/** What every refusal of one guard has in common. */
export interface RefusalOptions {
  readonly describedBy: string;
  /** When a 409 "in progress" says to come back. */
  readonly retryAfterMs: number;
}

/**
 * A refusal as an answer. Its words are loaded when the first is needed.
 *
 * @param words what to say in place of the usual advice, and when to come back
 */
export async function refusal(
  code: ProblemCode,
  options: RefusalOptions,
  words: { readonly detail?: string; readonly retryAfterMs?: number } = {},
): Promise<Answer> {
  const { advice, problemAnswer } = await import('./problem');
  const retryAfterMs = words.retryAfterMs ?? (code === 'in-progress' ? options.retryAfterMs : undefined);
  return problemAnswer(code, words.detail ?? advice[code], { describedBy: options.describedBy, retryAfterMs });
}
