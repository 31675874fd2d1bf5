import type { ResolvedRoute } from '../core/config';
import type { Entry } from '../core/entry';
import type { CallOptions } from '../core/options';
import type { RequestFacts } from '../core/request-facts';
import type { Captured } from './capture';
import type { Engine } from './engine';
import { intentOf } from './intent';

/** Stores a request without a live attempt. @throws OutboxError as `record` and `intentOf` do */
export async function queueNow(
  { context, recorder }: Engine,
  captured: Captured,
  found: { readonly route: ResolvedRoute; readonly facts: RequestFacts },
  call: CallOptions,
): Promise<Entry> {
  const subject = call.subject ?? (await context.subject()) ?? '';
  const prepared = await context.prepareBody(captured.body, captured.type);
  const { entry } = await recorder.record(intentOf(context, captured.request, prepared, found, call, subject));
  return entry;
}
