import type { ResolvedRoute } from '../core/config';
import type { Entry } from '../core/entry';
import type { CallOptions } from '../core/options';
import type { RequestFacts } from '../core/request-facts';
import type { Captured } from './capture';
import type { Engine } from './engine';
import { laidOut, sketchOf } from './content';
import { intentOf } from './intent';

/** Stores a request without a live attempt. @throws OutboxError as `record` and `intentOf` do */
export async function queueNow(
  { context, recorder }: Engine,
  captured: Captured,
  found: { readonly route: ResolvedRoute; readonly facts: RequestFacts },
  call: CallOptions,
): Promise<Entry> {
  const subject = call.subject ?? (await context.subject()) ?? '';
  const sketch = intentOf(context, captured.request, { info: sketchOf(captured) }, found, call, subject);
  const { entry } = await recorder.record(await laidOut(context, sketch, captured));
  return entry;
}
