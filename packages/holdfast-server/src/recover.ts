import type { Asked } from './asked';
import type { Answer } from './answer';
import { pickHeaders } from './keep-answer';
import type { FullOptions } from './options';
import { readBody } from './read-answer';
import type { Store } from './store';
import type { StoreAccess } from './store-access';

/** What becomes of a key whose last run left nothing behind. */
export type Recovery =
  | { readonly kind: 'refuse' }
  | { readonly kind: 'rerun'; readonly runs: number }
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'look-again' };

/**
 * Asks the options what to do, and takes the record over before doing it: of many callers who find the same orphan,
 * one goes on.
 */
export async function recover<Source>(
  options: FullOptions<Source>,
  access: StoreAccess,
  { source, claim, key, principal }: Asked<Source>,
  previousOwner: string,
): Promise<Recovery> {
  const { onUnknown } = options;
  const ruling = typeof onUnknown === 'function' ? await onUnknown(source, { key, principal }) : onUnknown;
  if (ruling === 'refuse') return { kind: 'refuse' };
  const taken = await access.call((store) => store.takeOver(claim, previousOwner));
  if (taken.kind !== 'claimed') return { kind: 'look-again' };
  if (ruling === 'rerun') return { kind: 'rerun', runs: taken.runs };
  const { bytes, kept } = await readBody(ruling, options.maxAnswerBytes);
  const headers = pickHeaders(ruling.headers, options.keepHeaders);
  const answer: Answer = { status: ruling.status, headers, body: bytes, bodyKept: kept };
  const write = (store: Store): Promise<boolean> => store.finish(claim, answer);
  const written = await access.call(write).catch(() => {
    access.owe(write);
    return true;
  });
  return written ? { kind: 'answered', answer } : { kind: 'look-again' };
}
