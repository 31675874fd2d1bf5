import type { ResolvedRoute } from '../core/config';
import type { Entry } from '../core/entry';
import type { CallOptions } from '../core/options';
import type { RequestFacts } from '../core/request-facts';
import type { Captured } from './capture';
import type { Engine } from './engine';
import { laidOut, sketchOf } from './content';
import { intentOf, laneFor } from './intent';
import type { Intent } from './record';
import { likely, nobody, SubjectChanged, type Likely } from './subject';

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
    const [captured, whose] = await Promise.all([
      reading,
      call.subject === undefined ? context.likelySubject() : likely(Promise.resolve(call.subject)),
    ]);
    const madeFor = async ({ who, holds }: Likely): Promise<Intent> => {
      if (who === null) throw nobody();
      const sketch = intentOf(context, captured.request, { info: sketchOf(captured) }, found, call, who);
      return laidOut(context, { ...sketch, isTheirs: holds }, captured);
    };
    const laid = await madeFor(whose);
    const turn = await waiting;
    const stored = recorder.record(laid).catch(async (error: unknown) => {
      if (!(error instanceof SubjectChanged)) throw error;
      return recorder.record(await madeFor(await likely(whose.asked)));
    });
    // The next of the lane may follow when it is known that this one will not begin anew.
    const handOver = (): void => void (whose.holds() && turn.handOver(stored));
    if (whose.holds()) handOver();
    else void whose.asked.then(handOver, () => undefined);
    return (await stored).entry;
  } finally {
    void waiting.then((mine) => mine.done());
  }
}
