import type { ResolvedRoute } from '../core/config';
import type { Entry } from '../core/entry';
import { laneKeyOf } from '../core/index-keys';
import type { CallOptions } from '../core/options';
import type { RequestFacts } from '../core/request-facts';
import type { Captured } from './capture';
import type { Engine } from './engine';
import { laidOut, sketchOf } from './content';
import { intentOf } from './intent';
import { nobody } from './subject';

/**
 * Stores a request without a live attempt, behind those of its lane that this context made before: one of them may be on its
 * way right now, and stand in line only when that fails.
 * @throws OutboxError as `record` and `intentOf` do
 */
export async function queueNow(
  { context, recorder, turns }: Engine,
  captured: Captured,
  found: { readonly route: ResolvedRoute; readonly facts: RequestFacts },
  call: CallOptions,
): Promise<Entry> {
  const subject = call.subject ?? (await context.subject());
  if (subject === null) throw nobody();
  const sketch = intentOf(context, captured.request, { info: sketchOf(captured) }, found, call, subject);
  const { lane } = sketch.entry;
  const waiting = turns.take(lane === null ? null : laneKeyOf(subject, lane));
  const laid = laidOut(context, sketch, captured);
  const turn = await waiting;
  try {
    const stored = recorder.record(await laid);
    turn.handOver(stored);
    return (await stored).entry;
  } finally {
    turn.done();
  }
}
