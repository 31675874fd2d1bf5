import type { ResolvedRoute } from '../core/config';
import type { Entry } from '../core/entry';
import type { CallOptions } from '../core/options';
import type { RequestFacts } from '../core/request-facts';
import type { Captured } from './capture';
import type { Engine } from './engine';
import { laidOut, sketchOf } from './content';
import { intentOf, laneFor } from './intent';
import { nobody } from './subject';

/**
 * Stores a request without a live attempt, behind those of its lane that this context made before: one of them may be on its
 * way right now, and stand in line only when that fails. Its place is that of this call, however long its body takes to read.
 * @throws OutboxError as `record` and `intentOf` do
 */
export async function queueNow(
  { context, recorder, turns }: Engine,
  reading: Captured | Promise<Captured>,
  found: { readonly route: ResolvedRoute; readonly facts: RequestFacts },
  call: CallOptions,
): Promise<Entry> {
  const waiting = turns.take(laneFor(call, found.route, found.facts));
  try {
    // Asked while the body is read: whose request it is was settled when it was made, and those made at once share the answer.
    const [captured, subject] = await Promise.all([reading, call.subject ?? context.subject()]);
    if (subject === null) throw nobody();
    const sketch = intentOf(context, captured.request, { info: sketchOf(captured) }, found, call, subject);
    const laid = await laidOut(context, sketch, captured);
    const turn = await waiting;
    const stored = recorder.record(laid);
    turn.handOver(stored);
    return (await stored).entry;
  } finally {
    void waiting.then((mine) => mine.done());
  }
}
