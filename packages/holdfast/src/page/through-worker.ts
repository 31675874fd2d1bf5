import { requestOf } from '../browser/fetch-transport';
import type { Entry } from '../core/entry';
import { withCall } from '../core/wire';
import type { Context } from '../flow/context';
import { keyOf } from '../flow/intent';
import { deadlineMs } from '../flow/outgoing';
import { letGo } from '../flow/write-ahead';
import type { System } from '../ports';
import { fromHere, responseTo, type FetchTools, type Taken } from './from-here';

/** Beyond the worker's own deadline for the attempt: a worker that was killed meanwhile answers never (seen in Firefox); ms. */
const workerSlackMs = 10_000;

/**
 * Through the worker, under a key made here. Should it never answer, or not have caught the request at all, the store is
 * asked what became of that key; and if it does not know, the request is made from here, with the same key and bytes.
 */
export async function throughWorker(tools: FetchTools, taken: Taken): Promise<Response> {
  const { engine, sends, plainFetch } = tools;
  const { context } = engine;
  const { captured, route, signal } = taken;
  const key = keyOf(context, captured.request, taken.call);
  const call = { ...taken.call, key };
  const line = new AbortController();
  signal.addEventListener(
    'abort',
    () => {
      line.abort(signal.reason);
      // No engine tells the worker.
      sends.abandon(key);
    },
    { once: true },
  );
  const { request, body } = captured;
  const answer = plainFetch(requestOf({ ...request, url: withCall(request.url, call), body }, line.signal));
  const size = body === null ? 0 : body instanceof Uint8Array ? body.byteLength : body.size;
  for (;;) {
    const heard = await inTime(context.system, answer, deadlineMs(route, size) + workerSlackMs);
    if (heard instanceof Response) return heard;
    signal.throwIfAborted();
    if (heard !== 'silence' && call.onlyLive) throw heard.error;
    const known = await whatBecameOf(context, key);
    // Its lane may be long; as long as that run of the worker lives, the request has its turn coming.
    if (heard === 'silence' && known?.run !== undefined && known.run === (await sends.workerRun())) continue;
    line.abort();
    if (known?.entry) {
      // The page is told that it is kept: an answer to the worker's attempt must not take it off the list unseen any more.
      await letGo(context, known.entry).catch(() => undefined);
      return responseTo({ kind: 'queued', entry: known.entry }, engine, route);
    }
    return fromHere(tools, { ...taken, call });
  }
}

async function inTime(
  system: System,
  answer: Promise<Response>,
  ms: number,
): Promise<Response | 'silence' | { readonly error: unknown }> {
  let cancel = (): void => undefined;
  const silence = new Promise<'silence'>((resolve) => (cancel = system.timer(ms, () => resolve('silence'))));
  try {
    return await Promise.race([answer, silence]);
  } catch (error) {
    return { error };
  } finally {
    cancel();
  }
}

/** The entry of a key, or the run of the worker that began with it; undefined when the store cannot say. */
async function whatBecameOf(
  { store }: Context,
  key: string,
): Promise<{ readonly entry?: Entry; readonly run?: string } | undefined> {
  try {
    return await store.transact('read', async (rows) => {
      const [entry, line] = await Promise.all([rows.byKey(key), rows.journalLine(key)]);
      const run = entry ? undefined : line?.run;
      return { ...(entry && { entry }), ...(run !== undefined && { run }) };
    });
  } catch {
    return undefined;
  }
}
