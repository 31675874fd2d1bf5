import { headerOf } from '../../core/header-pairs';
import type { Entry } from '../../core/entry';
import type { Arrival, Outgoing } from '../../ports';
import { longestLeaseMs, markOf, oldStamp, stampOf, wantsStamp } from './app';
import { intentOfRow, nameOf, rowByKey, type Facts } from './facts';
import type { Flight, Listener } from './network';
import { keyOf } from './server';

/** How long an answer vouches for the line, ms: `connectivity.ts` calls failures after it "offline". */
const vouchedMs = 30_000;

export interface WireView {
  now(): number;
  online(): boolean;
  saysOffline(): boolean;
  alive(tab: string): boolean;
  holds: (tab: string) => boolean;
  /** Grows with every jump of the clock, forced flush and edit: what was told before does not bind after. */
  era(): number;
}

/** What must hold of each request that leaves, and what its end allows the flow to count. */
export interface WireRules extends Listener {
  countable(tab: string, key: string): boolean;
  /** A frozen tab goes on: what it has waiting is heard now, in no order, so an answer may vouch for the line. */
  thawed(): void;
}

export function createWireRules(facts: Facts, view: WireView): WireRules {
  const prints = new Map<string, string>();
  const asked = new Map<string, { readonly until: number; readonly era: number }>();
  const counts = new Map<string, boolean>();
  let answeredAt = -Infinity;

  return {
    left(tab, request, others) {
      const key = keyOf(request) ?? '';
      const row = rowByKey(facts, key);
      checkPrint(facts, prints, request, key, row?.outcome === 'never-sent');
      checkStamp(facts, request, row);
      checkAlone(facts, view, tab, key, row, others);
      const told = asked.get(key);
      const now = view.now();
      if (told?.era === view.era() && now < told.until && row?.replays === 0) {
        facts.violated('gentle', `${nameOf(row)} was sent ${told.until - now} ms before the server wanted it again`);
      }
      if (!row || row.state !== 'sending' || row.lease?.owner !== tab) return;
      const deadline = row.replays === 0 ? (intentOfRow(facts, row)?.deadline ?? Infinity) : Infinity;
      if (now >= deadline) {
        facts.violated('nothing silent', `${nameOf(row)} was sent ${now - deadline} ms after its own deadline`);
      }
      if (now < (row.notBefore ?? 0) && view.era() === 0) {
        facts.violated('order', `${nameOf(row)} was sent before its time`);
      }
    },
    ended(tab, request, arrival) {
      const key = keyOf(request) ?? '';
      const now = view.now();
      const vouched = now >= answeredAt && now - answeredAt < vouchedMs;
      counts.set(`${tab} ${key}`, arrival.kind === 'answer' || (arrival.kind === 'timeout' ? view.online() : vouched));
      if (arrival.kind === 'network' && view.saysOffline()) facts.lied.add(key);
      if (arrival.kind !== 'answer') return;
      answeredAt = now;
      const until = askedUntil(arrival, now);
      if (until > now) asked.set(key, { until, era: view.era() });
    },
    thawed: () => void (answeredAt = view.now()),
    countable: (tab, key) => counts.get(`${tab} ${key}`) ?? false,
  };
}

/** One content, one key, one set of headers on every attempt; what never left may be put on top of another ETag. */
function checkPrint(
  facts: Facts,
  prints: Map<string, string>,
  request: Outgoing,
  key: string,
  neverSent: boolean,
): void {
  const mark = markOf(request.body as Uint8Array);
  const print = JSON.stringify([key, request.method, request.url, request.headers]);
  const before = prints.get(mark);
  prints.set(mark, print);
  const alike = (one: string): string => (neverSent ? one.replace(/\["if-match","[^\]]*\]/, '') : one);
  if (before !== undefined && alike(before) !== alike(print)) {
    facts.violated('one effect', `#${mark} left as ${before} and then as ${print}`);
  }
}

/** An edit may have moved it elsewhere; its route stays. */
function checkStamp(facts: Facts, { url, body }: Outgoing, row: Entry | undefined): void {
  const stamp = stampOf(body as Uint8Array);
  if ((row ? row.route === 'free' : wantsStamp(url)) !== (stamp !== oldStamp))
    facts.violated('as it was', `${row ? nameOf(row) : url} left with the stamp ${stamp}`);
}

/** Nobody sends what is being sent, unless its sender is gone, was robbed or has taken too long. */
function checkAlone(
  facts: Facts,
  view: WireView,
  tab: string,
  key: string,
  row: Entry | undefined,
  others: readonly Flight[],
): void {
  const other = others.find((flight) => keyOf(flight.request) === key);
  if (!other || !row?.lease || !view.alive(other.tab)) return;
  const legitimate = other.tab !== tab && !row.lease.live && !view.holds(other.tab);
  const early =
    row.lease.owner !== tab && view.now() < row.lease.until && row.lease.until - view.now() < longestLeaseMs;
  if (!legitimate && (other.tab === tab ? view.era() === 0 : early)) {
    facts.violated('one effect', `${nameOf(row)} was sent by ${tab} while ${other.tab} was sending it`);
  }
}

function askedUntil(arrival: Arrival, now: number): number {
  const seconds = arrival.kind === 'answer' ? Number(headerOf(arrival.answer.headers, 'retry-after') ?? 0) : 0;
  return now + seconds * 1000;
}
