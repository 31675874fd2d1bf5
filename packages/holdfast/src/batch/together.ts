import type { Gates } from '../core/control';
import type { Entry } from '../core/entry';
import { laneKeyOf, originOf } from '../core/index-keys';
import { parseProblem } from '../core/problem';
import { problemTypes } from '../core/problem-types';
import { headerOf } from '../core/header-pairs';
import type { Fate, Hands, Together } from '../flow/door';
import type { LateAnswer } from '../flow/late-answer';
import type { Arrival, Arrived, Outgoing } from '../ports';
import { pack, unpack, type BatchedAnswer, type BatchedRequest } from './format';

/** The most that is read of an answer, bytes; a door that says more is not used again for a while. */
const answerMax = 8_388_608;

/** Refusals of this moment: they say nothing about the door. */
const passing = [401, 407, 408, 421, 425, 429];

/**
 * Sends the first of the entries in one call. When the call gets no answer, nobody knows what became of any of them.
 *
 * @param maxRequests most in one call
 * @param maxBytes    most bytes of all bodies
 */
export function through(maxRequests: number, maxBytes: number): Together {
  return async (hands, address, entries) => {
    const ready = await prepare(hands, entries.slice(0, maxRequests), maxBytes);
    const going = entries.slice(0, ready.length);
    if (going.length < 2 || !(await hands.mayGo(going))) return [];
    const call: Outgoing = {
      ...(ready[0] as Ready).request,
      method: 'POST',
      url: address,
      headers: [['content-type', 'application/json']],
      body: pack(ready.map(({ part }) => part)),
    };
    const late = going.map((entry) => hands.late(entry));
    const arrival = await hands.call(call, going, (answer) => void hearLate(hands, going, late, answer));
    const taken = await read(arrival, going.length);
    if (taken === 'not-now') return [];
    // A door that begins with nothing is no help; the first is then sent by itself.
    if (taken === 'no-door' || (Array.isArray(taken) && taken.every(isNotBegun))) {
      hands.close();
      return [];
    }
    if (Array.isArray(taken)) return each(hands, going, taken as readonly BatchedAnswer[], dateOf(arrival));
    if (taken === 'not-understood') hands.close();
    const lost: Arrival =
      taken === 'not-understood' ? { kind: 'network', message: 'the batch was answered with something else' } : arrival;
    const fates: Fate[] = [];
    for (const [at, entry] of going.entries()) {
      const judged = await hands.judge(entry, lost);
      // It was one call, so it is one lesson about the origin.
      const own = at === 0 ? judged : { ...judged, gates: (gates: Gates) => gates };
      fates.push({ kind: 'judged', judged: own, late: late[at] });
    }
    return fates;
  };
}

/**
 * The answer of a call that was given up: each part settles its entry as the late answer of an attempt by itself would, so
 * only successes do. A refusal of the whole says nothing about any of them; that it asks to be left alone is heard once.
 */
async function hearLate(
  hands: Hands,
  going: readonly Entry[],
  late: readonly LateAnswer[],
  answer: Arrived,
): Promise<void> {
  const taken = await read({ kind: 'answer', answer }, going.length);
  if (taken === 'no-door' || taken === 'not-understood') return hands.close();
  if (!Array.isArray(taken)) return late[0]?.hear(answer);
  const date = headerOf(answer.headers, 'date');
  for (const [at, part] of (taken as readonly BatchedAnswer[]).entries()) {
    late[at]?.hear(arrivedOf(going[at] as Entry, part, date));
  }
}

async function each(
  hands: Hands,
  going: readonly Entry[],
  answers: readonly BatchedAnswer[],
  date: string | null,
): Promise<readonly Fate[]> {
  const fates: Fate[] = [];
  for (const [at, answer] of answers.entries()) {
    const entry = going[at] as Entry;
    if (isNotBegun(answer)) fates.push({ kind: 'not-begun' });
    // A redirect is for who asked to follow; under its key the server answers it the same way again.
    else if (answer.status < 400 && answer.status >= 300) {
      fates.push({
        kind: 'alone',
        lost: await hands.judge(entry, { kind: 'network', message: 'it was answered with a redirect' }),
      });
    } else {
      const own = arrivedOf(entry, answer, date);
      fates.push({ kind: 'judged', judged: await hands.judge(entry, { kind: 'answer', answer: own }) });
    }
  }
  return fates;
}

interface Ready {
  readonly request: Outgoing;
  readonly part: BatchedRequest;
}

/** The first ones that can share a call. What cannot be made at all stays for its own attempt, which says why. */
async function prepare(hands: Hands, entries: readonly Entry[], maxBytes: number): Promise<Ready[]> {
  const ready: Ready[] = [];
  const lanes: string[] = [];
  let bytes = 0;
  /** Lanes are told apart by number: what they are called is the app's own affair. */
  function laneOf({ subject, lane }: Entry): string | undefined {
    if (lane === null) return undefined;
    const name = laneKeyOf(subject, lane);
    if (!lanes.includes(name)) lanes.push(name);
    return String(lanes.indexOf(name));
  }
  for (const entry of entries) {
    if (!hands.sharesDoor(entry)) break;
    bytes += entry.body.size;
    if (bytes > maxBytes) break;
    try {
      const request = await hands.ready(entry);
      if (!fits(request, ready[0]?.request, hands.keyHeader)) break;
      const { method, headers } = request;
      const target = request.url.slice(originOf(request.url).length).replace(/#.*$/s, '');
      const body = request.body && !(request.body instanceof Uint8Array) ? await bytesOf(request.body) : request.body;
      ready.push({
        request,
        part: { method, target, headers, body, lane: laneOf(entry) },
      });
    } catch {
      break;
    }
  }
  return ready;
}

async function bytesOf(body: { arrayBuffer(): Promise<ArrayBuffer> }): Promise<Uint8Array> {
  return new Uint8Array(await body.arrayBuffer());
}

/** Whether a request can be one of many: it has a key, and nothing about it that only a request of its own can have. */
function fits(request: Outgoing, first: Outgoing | undefined, keyHeader: string): boolean {
  const { method, headers, mode, credentials, redirect, integrity, url } = request;
  if (!['POST', 'PUT', 'PATCH', 'DELETE'].includes(method) || headerOf(headers, keyHeader) === null) return false;
  if (mode === 'navigate' || mode === 'no-cors' || redirect !== 'follow' || integrity !== '') return false;
  return first === undefined || (first.credentials === credentials && originOf(first.url) === originOf(url));
}

/** What the door did with the call as a whole. */
async function read(
  arrival: Arrival,
  count: number,
): Promise<readonly BatchedAnswer[] | 'no-door' | 'not-now' | 'not-understood' | 'no-answer'> {
  if (arrival.kind !== 'answer') return 'no-answer';
  const { answer } = arrival;
  if (passing.includes(answer.status)) return 'not-now';
  // Below 500 it says that it took nothing. Of the others only 501 does; after a 502 all of them may have been done.
  if (answer.status >= 400 && (answer.status < 500 || answer.status === 501)) return 'no-door';
  if (answer.status >= 500) return 'no-answer';
  const { text, truncated } = await answer.text(answerMax);
  return (truncated ? undefined : unpack(text, count)) ?? 'not-understood';
}

function dateOf(arrival: Arrival): string | null {
  return arrival.kind === 'answer' ? headerOf(arrival.answer.headers, 'date') : null;
}

function isNotBegun({ status, headers, body }: BatchedAnswer): boolean {
  const type = headerOf(headers, 'content-type');
  if (status !== 424 || type === null || body === null) return false;
  return parseProblem(type, new TextDecoder().decode(body))?.type === problemTypes.notAttempted;
}

/** One part as the answer it would have been. */
function arrivedOf(entry: Entry, { status, headers, body }: BatchedAnswer, date: string | null): Arrived {
  return {
    status,
    type: 'basic',
    url: entry.request.url,
    redirected: false,
    headers: date === null || headerOf(headers, 'date') !== null ? headers : [...headers, ['date', date]],
    text: (maxBytes) => {
      const text = new TextDecoder().decode(body?.subarray(0, maxBytes), { stream: true });
      return Promise.resolve({ text, truncated: (body?.byteLength ?? 0) > maxBytes });
    },
  };
}
