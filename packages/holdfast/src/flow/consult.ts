import { overruled, type AttemptFacts, type ClassifyOptions, type Verdict } from '../core/classify';
import type { ResolvedRoute } from '../core/config';
import type { Entry } from '../core/entry';
import { asOutboxError, OutboxError } from '../core/errors';
import type { AnswerView } from '../core/options';
import { viewOf } from '../core/snapshot';
import { isAnswerClass } from '../core/verdict-table';
import type { Arrival, Arrived } from '../ports';
import type { Context } from './context';
import { hook } from './hook';

/** What the table says of an attempt. */
export interface ByTable {
  readonly verdict: Verdict;
  /** What the answer asks to wait, ms, or null. */
  readonly askedMs: number | null;
}

export interface Consulted extends ByTable {
  /** What the gates learn: the table's verdict where the hook failed. */
  readonly lesson: Verdict;
}

interface Consulting {
  readonly entry: Entry;
  readonly route: ResolvedRoute;
  readonly arrival: Arrival;
}

/** Lets the app's `classify` hook overrule the table. When it fails, its own entry suffers and nothing else does. Never rejects. */
export async function consult(
  context: Context,
  { entry, route, arrival }: Consulting,
  facts: AttemptFacts,
  table: ByTable,
  options: ClassifyOptions,
): Promise<Consulted> {
  const own = route.classify ?? context.config.config.classify;
  const asTable = { ...table, lesson: table.verdict };
  if (!own || arrival.kind !== 'answer') return asTable;
  const view = answerView(arrival.answer, route);
  try {
    const said = await hook(context, 'classify', () => own(view, viewOf(entry, null)));
    if (said === undefined) return asTable;
    const verdict = overruled(classOf(typeof said === 'string' ? said : said.class), facts, options);
    const after = typeof said === 'object' ? said.retryAfterMs : undefined;
    return { verdict, askedMs: after ?? table.askedMs, lesson: verdict };
  } catch (error) {
    return { ...asTable, verdict: undecided(error) };
  }
}

function classOf(said: unknown): Verdict['class'] {
  if (isAnswerClass(said)) return said;
  throw new OutboxError('hook-failed', `classify must return a class or nothing, got ${String(said)}`);
}

/** Whoever knows what the answer means failed. */
function undecided(error: unknown): Verdict {
  const { message } = asOutboxError(error, 'hook-failed', 'classify failed');
  return { class: 'server', final: 'retry', counted: true, pausesOrigin: false, unknown: true, why: message };
}

/** What hooks see of an answer. */
export function answerView(answer: Arrived, route: ResolvedRoute): AnswerView {
  const { status, headers, url, redirected } = answer;
  return { status, headers, url, redirected, text: async () => (await answer.text(route.keepBodyBytes, true)).text };
}
