import type { ResolvedRoute } from '../core/config';
import type { Entry } from '../core/entry';
import type { AnswerView, ConflictResult } from '../core/options';
import { isBulky } from '../core/metered';
import { viewOf } from '../core/snapshot';
import { withHeaders, headerOf } from '../core/header-pairs';
import { keyValue } from '../core/wire';
import type { Body } from '../ports';
import { lay, unfold } from './content';
import type { Context } from './context';
import { hook } from './hook';
import type { Judged } from './judge';
import type { Patch } from './ledger';

/** How often one entry's conflicts may be resolved before a person has to look: two apps could correct each other for ever. */
const resolvedMax = 5;

/**
 * Asks the app what to do about a 409 or 412. Without an answer of its own the entry dies as a conflict.
 * @throws OutboxError `hook-failed`
 */
export async function resolveConflict(
  context: Context,
  entry: Entry,
  route: ResolvedRoute,
  judged: Judged,
  answer: AnswerView,
): Promise<Judged> {
  const resolve = route.resolveConflict ?? context.config.config.resolveConflict;
  const before = entry.history.filter((attempt) => attempt.class === 'conflict').length;
  if (!resolve || judged.verdict.class !== 'conflict' || judged.verdict.final !== 'refuse' || before >= resolvedMax)
    return judged;
  const said: ConflictResult = await hook(context, 'resolveConflict', () => resolve(answer, viewOf(entry, null)));
  if (said === undefined) return judged;
  const now = context.system.now();
  const { dead: _, finishedAt: _at, ...lived } = judged.settlement.patch;
  if (said === 'delivered') {
    const verdict = { ...judged.verdict, class: 'delivered' as const, final: 'deliver' as const };
    return { ...judged, verdict, settlement: { move: 'deliver', patch: { ...lived, finishedAt: now } } };
  }
  const verdict = { ...judged.verdict, final: 'retry' as const, why: 'a conflict the app resolved' };
  if (said === 'retry') return { ...judged, verdict, settlement: { move: 'release', patch: { ...lived, dueAt: now } } };
  const replaced = await replacement(context, entry, said);
  return {
    ...judged,
    verdict,
    apart: replaced.apart,
    settlement: {
      move: 'release',
      patch: { ...lived, ...replaced.patch, dueAt: now, outcome: 'never-sent', firstUnknownAt: undefined } as never,
    },
  };
}

/** Another payload is another intent: it gets a key of its own. */
async function replacement(
  context: Context,
  entry: Entry,
  { url, headers = {}, json }: Exclude<ConflictResult, string | undefined>,
): Promise<{ patch: Patch; apart?: Body | undefined }> {
  const key = context.system.id();
  const keyHeader = context.config.key.header;
  const { request: old, body } = await unfold(context, entry);
  const own = headerOf(old.headers, keyHeader) !== null ? { [keyHeader]: keyValue(key, context.config.key) } : {};
  const type = json === undefined ? entry.body.type : 'application/json';
  const set = { ...headers, ...own, ...(json !== undefined && { 'content-type': type }) };
  const request = { ...old, ...(url !== undefined && { url }), headers: withHeaders(old.headers, set) };
  const bytes = json === undefined ? body : new TextEncoder().encode(JSON.stringify(json));
  const laid = await lay(context, request, bytes, type, entry.subject);
  const isBulkyNow = isBulky(context.config.metered, laid.info.sealed?.size ?? laid.info.size);
  // Whoever names a version knows better than the one before it in its lane.
  const namesVersion = Object.keys(headers).some((name) => name.toLowerCase() === 'if-match');
  return {
    patch: {
      key,
      request: laid.request,
      body: laid.info,
      bulky: isBulkyNow || undefined,
      ...(namesVersion && { ifMatch: undefined }),
    },
    apart: laid.apart,
  };
}
