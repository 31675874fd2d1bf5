import { problemTypes } from '../../core/problem-types';
import { headerOf } from '../../core/header-pairs';
import type { Outgoing, System } from '../../ports';
import { markOf, mindsEtags, origins } from './app';
import type { Facts, Intent } from './facts';

/** What a server (or what stands before it) makes of a request. */
export type Mood =
  /** Does the work. `lost`: the answer is cut off. `error`: a gateway says 502 though the work is done. `silent`: no answer at all. */
  | { readonly do: 'work'; readonly answer: 'ok' | 'lost' | 'error' | 'silent'; readonly takesMs: number }
  | { readonly do: 'refuse'; readonly status: 401 | 404 | 409 | 412 | 422 }
  | { readonly do: 'fail'; readonly status: 408 | 429 | 500 | 502 | 503; readonly afterS: number | null }
  /** The connection is cut before the server reads anything. */
  | { readonly do: 'reset' }
  /** Nothing answers, and nothing is done. */
  | { readonly do: 'hang' }
  /** Somebody else answers in the server's place. */
  | { readonly do: 'captive'; readonly how: 'html' | '511' };

export type Says =
  | {
      readonly status: number;
      readonly headers: readonly (readonly [string, string])[];
      readonly body: string;
      readonly afterMs: number;
    }
  | { readonly cut: true; readonly afterMs: number }
  | { readonly silence: true };

interface Known {
  readonly print: string;
  /** Absent while the work is under way. */
  answer?: { readonly status: number; readonly body: string };
}

/** Servers of the model: a ledger of effects, and keys kept for ever, as `holdfast-server` keeps them. */
export interface Server {
  receive(request: Outgoing): Says;
  /** What it does from now on, in turn. */
  mood(origin: string, moods: readonly Mood[]): void;
  /** Whether anything with this key ever came in. */
  heardOf(key: string): boolean;
  /** Whether the work of this key is done. */
  did(key: string): boolean;
}

type Pairs = readonly (readonly [string, string])[];

const json = 'application/json';
const problemJson = 'application/problem+json';

/** Refusals that the same request will get again: kept with the key. */
const kept: readonly number[] = [404, 409, 422];

export function createServer(facts: Facts, system: System, trueNow: () => number): Server {
  const keys = new Map<string, Known>();
  const done = new Set<string>();
  const heard = new Set<string>();
  const moods = new Map<string, { readonly list: readonly Mood[]; next: number }>();
  const fine: Mood = { do: 'work', answer: 'ok', takesMs: 0 };

  function nextMood(origin: string): Mood {
    const line = moods.get(origin);
    return line?.list[line.next++ % line.list.length] ?? fine;
  }

  function effect(key: string, mark: string): void {
    const [n = 0, version = 0] = mark.split('.').map(Number);
    const intent = facts.intents.get(n);
    const at = facts.tick();
    done.add(key);
    if (!intent) return facts.violated('one effect', `the server got a request nobody made (${mark})`);
    if (intent.doneAt.has(version)) facts.violated('one effect', `#${mark} took effect twice, under two keys`);
    intent.doneAt.set(version, at);
    for (const other of facts.intents.values()) checkOrder(facts, intent, other, at);
  }

  /** Runs the work of a key and keeps its answer, now or when its time is over. */
  function work(key: string, print: string, mark: string, takesMs: number): void {
    const known: Known = { print };
    keys.set(key, known);
    const finish = (): void => {
      effect(key, mark);
      known.answer = { status: 201, body: '{"ok":true}' };
    };
    if (takesMs > 0) system.timer(takesMs, finish);
    else finish();
  }

  function receive(request: Outgoing): Says {
    const origin = origins.find((one) => request.url.startsWith(one)) ?? origins[0];
    const mood = nextMood(origin);
    const date = origin === origins[0] ? ([['date', new Date(trueNow()).toUTCString()]] as const) : [];
    const says = (status: number, body: string, more: Pairs = [], afterMs = 0, type = json): Says => ({
      status,
      body,
      afterMs,
      headers: [['content-type', type], ...date, ...more],
    });
    if (mood.do === 'reset') return { cut: true, afterMs: 20 };
    if (mood.do === 'hang') return { silence: true };
    if (mood.do === 'captive') {
      return says(mood.how === '511' ? 511 : 200, '<h1>Sign in</h1>', [], 0, 'text/html');
    }
    const key = keyOf(request);
    const body = request.body as Uint8Array;
    if (key === null) {
      facts.violated('one effect', `a request for ${request.url} came without a key`);
      return says(400, '{}');
    }
    heard.add(key);
    const mark = markOf(body);
    // The stamp is no part of what is asked for.
    const asked = new TextDecoder().decode(body).replace(/"stamp":"[^"]*"/, '');
    const print = `${request.method} ${request.url} ${asked}`;
    const known = keys.get(key);
    if (known && known.print !== print) {
      if (!facts.lied.has(key)) {
        facts.violated('one effect', `key ${key} came with another request: ${known.print} and ${print}`);
      }
      return says(422, problem(problemTypes.keyReused), [], 0, problemJson);
    }
    if (mood.do === 'fail') {
      return says(mood.status, '{}', mood.afterS === null ? [] : [['retry-after', String(mood.afterS)]]);
    }
    if (known && !known.answer) {
      return says(409, problem(problemTypes.inProgress), [['retry-after', '1']], 0, problemJson);
    }
    if (!known && mood.do === 'refuse') {
      if (kept.includes(mood.status)) keys.set(key, { print, answer: { status: mood.status, body: '{}' } });
      return says(mood.status, '{}');
    }
    const takesMs = mood.do === 'work' && !known ? mood.takesMs : 0;
    if (!known) work(key, print, mark, takesMs);
    const answer = mood.do === 'work' ? mood.answer : 'ok';
    if (answer === 'lost') return { cut: true, afterMs: takesMs };
    if (answer === 'silent') return { silence: true };
    if (answer === 'error') return says(502, '{}', [], takesMs);
    const { status, body: text } = known?.answer ?? { status: 201, body: '{"ok":true}' };
    const etag: Pairs = mindsEtags(request.url) ? [['etag', etagAfter(mark)]] : [];
    return says(status, text, [...etag, ...(known ? ([['idempotency-replayed', 'true']] as const) : [])], takesMs);
  }

  return {
    receive,
    mood: (origin, list) => void moods.set(origin, { list, next: 0 }),
    heardOf: (key) => heard.has(key),
    did: (key) => done.has(key),
  };
}

/** What took effect before must not have been made later in the same line, unless this one had died meanwhile. */
function checkOrder(facts: Facts, intent: Intent, other: Intent, at: number): void {
  if (intent.lane === null || other.lane !== intent.lane || other === intent) return;
  if (intent.told === 'failed' || other.blind) return;
  const before = intent.tab === other.tab ? intent.madeAt < other.madeAt : (intent.toldAt ?? Infinity) < other.madeAt;
  if (!before) return;
  const overtook = [...other.doneAt.values()].some((done) => done < at && !((intent.diedAt ?? Infinity) < done));
  if (overtook) {
    facts.violated('order', `#${other.n} took effect before #${intent.n}, which stood before it in ${intent.lane}`);
  }
}

/** The ETag a thing has after a write. */
export function etagAfter(mark: string): string {
  return `"${mark}"`;
}

export function keyOf(request: Outgoing): string | null {
  const value = headerOf(request.headers, 'idempotency-key');
  return value === null ? null : value.replace(/^"|"$/g, '');
}

function problem(type: string): string {
  return JSON.stringify({ type });
}
