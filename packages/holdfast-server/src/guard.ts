import type { Answer } from './answer';
import type { Claim } from './store';

/** What to do with a keyed request, now that the store has spoken. */
export type Verdict =
  | { readonly move: 'run'; readonly runs: number }
  | { readonly move: 'replay'; readonly answer: Answer }
  | { readonly move: 'wait'; readonly leftMs: number }
  | { readonly move: 'recover'; readonly previousOwner: string }
  | { readonly move: 'reject'; readonly code: 'key-reused' | 'key-expired' };

/**
 * The whole decision. Another payload under the same key is refused whatever state the first is in, so that a caller
 * who mixes two intents up hears of it at once and not only when the first is done.
 */
export function decide(claim: Claim, fingerprint: string): Verdict {
  if (claim.kind === 'claimed') return { move: 'run', runs: claim.runs };
  if (claim.kind === 'gone') return { move: 'reject', code: 'key-expired' };
  if (claim.fingerprint !== fingerprint) return { move: 'reject', code: 'key-reused' };
  switch (claim.kind) {
    case 'done':
      return { move: 'replay', answer: claim.answer };
    case 'running':
      return { move: 'wait', leftMs: claim.leftMs };
    case 'unknown':
      return { move: 'recover', previousOwner: claim.owner };
  }
}
