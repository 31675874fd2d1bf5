import { bucketOf, laneKeyOf } from '../../core/index-keys';
import { noCounts, type Counts } from '../../core/control';
import type { Entry, State } from '../../core/entry';
import { keep, longestLeaseMs, metered, oldStamp, stampOf } from './app';
import { headerOf } from '../../core/header-pairs';
import { intentOfRow, nameOf, type Facts } from './facts';
import type { Server } from './server';
import type { Commit } from './watched-store';

/** Who is who at the moment of a commit. */
export interface Who {
  /** Wall clock, epoch ms. */
  now(): number;
  alive(tab: string): boolean;
  /** Whether a tab has the drain's lock and was not robbed of it. */
  holds: (tab: string) => boolean;
  /** Whether the last attempt of a key that a tab heard the end of may use up budget. */
  countable(tab: string, key: string): boolean;
  /** What the platform says of the connection. */
  metered(): boolean;
}

const nexts: Readonly<Record<State, readonly State[]>> = {
  pending: ['pending', 'sending', 'delivered', 'dead'],
  sending: ['pending', 'sending', 'delivered', 'dead'],
  delivered: ['delivered'],
  dead: ['dead', 'pending', 'delivered'],
};

/** What must hold after each transaction, whoever made it. */
export function checkCommit(facts: Facts, server: Server, who: Who, commit: Commit): void {
  const lanes = new Set<string>();
  const delivered: Entry[] = [];
  const laneOf = (entry: Entry) => entry.lane !== null && lanes.add(laneKeyOf(entry.subject, entry.lane));
  for (const seq of commit.removed) {
    const before = facts.rows.get(seq);
    if (!before) continue;
    checkRemoval(facts, who, before);
    laneOf(before);
    facts.rows.delete(seq);
  }
  for (const after of commit.puts.values()) {
    const before = facts.rows.get(after.seq);
    facts.rows.set(after.seq, after);
    facts.lastSeen.set(after.id, after);
    facts.touchedBy.set(after.seq, commit.tab);
    laneOf(after);
    if (before) checkStep(facts, who, commit.tab, before, after);
    if (after.state === 'delivered' && before?.state !== 'delivered') delivered.push(after);
    checkRow(facts, server, after);
    const intent = intentOfRow(facts, after);
    if (intent && after.state === 'dead') intent.diedAt ??= facts.tick();
  }
  for (const lane of lanes) checkLine(facts, lane);
  for (const row of delivered) checkEtag(facts, row, delivered);
  facts.book = commit.control.book ?? facts.book;
  if (commit.control.gates) {
    facts.gates = commit.control.gates;
    facts.gatesTouchedBy = commit.tab;
  }
  checkBook(facts);
}

/** Only what is settled leaves, after its stated time; what was refused to the page's face was never accepted. */
function checkRemoval(facts: Facts, who: Who, before: Entry): void {
  const refused = intentOfRow(facts, before)?.told === 'open';
  if (refused) return;
  const age = who.now() - ((before.state === 'dead' ? before.dead?.closedAt : before.finishedAt) ?? who.now());
  const delivered = [...facts.rows.values()].filter((row) => row.state === 'delivered').length;
  const due =
    (before.state === 'delivered' && (age >= keep.deliveredMs || delivered > keep.deliveredMax)) ||
    (before.state === 'dead' && before.dead?.triage === 'closed' && age >= keep.closedMs);
  if (!due)
    facts.violated(
      'nothing lost',
      `${nameOf(before)} was removed ${age} ms after its end (${before.dead?.reason}, ${before.dead?.triage})`,
    );
}

function checkStep(facts: Facts, who: Who, tab: string, before: Entry, after: Entry): void {
  const step = `${nameOf(before)} to ${after.state}`;
  if (!nexts[before.state].includes(after.state)) facts.violated('nothing lost', `${step} is no move`);
  const intent = intentOfRow(facts, after);
  const sameContent =
    before.request.url === after.request.url &&
    before.request.method === after.request.method &&
    (before.body.size === after.body.size || after.state === 'delivered' || after.dead?.reason === 'dropped');
  if (!intent?.editing && (before.key !== after.key || !sameContent)) {
    facts.violated('one effect', `${step} changed its key or content without an edit`);
  }
  if (intent?.editing && before.key === after.key && before.outcome !== 'never-sent' && !sameContent) {
    facts.violated('one effect', `${step}: an edit of what may have been sent kept the key`);
  }
  const token = after.lease?.token ?? 0;
  if (token !== 0 && token !== before.lease?.token && token <= (facts.book?.token ?? 0)) {
    facts.violated('one effect', `${step}: token ${token} is not new`);
  }
  checkHand(facts, who, tab, before, after);
  if (before.state === 'pending' && after.lease && !after.lease.live && mustWait(after) && who.metered()) {
    facts.violated('gentle', `${step}: it is large, and the connection is metered`);
  }
  const spent = after.attempts - before.attempts;
  if (spent > 0 && !who.countable(tab, before.key)) {
    facts.violated(
      'offline is free',
      `${step} used up budget (${after.lastFailure?.class}: ${after.lastFailure?.message})`,
    );
  }
}

/** What is being sent is settled by its sender alone, while that one is alive, holds the lock and its lease runs. */
function checkHand(facts: Facts, who: Who, tab: string, before: Entry, after: Entry): void {
  const { lease } = before;
  if (before.state !== 'sending' || !lease || lease.owner === tab || after.state === 'delivered') return;
  const ended = lease.until <= who.now() || lease.until - who.now() > longestLeaseMs;
  const working = who.alive(lease.owner) && (lease.live === true || who.holds(lease.owner));
  const untouched = after.state === 'sending' && after.lease?.token === lease.token;
  if (!ended && working && !untouched) {
    facts.violated('one effect', `${nameOf(before)} was taken from ${lease.owner} by ${tab} while it was being sent`);
  }
}

function mustWait({ bulky, priority }: Entry): boolean {
  return bulky === true && priority >= metered.fromPriority;
}

function checkRow(facts: Facts, server: Server, row: Entry): void {
  if (row.state === 'dead' && !(row.dead?.reason && row.dead.message.length > 0)) {
    facts.violated('nothing silent', `${nameOf(row)} is dead without a reason`);
  }
  if (row.body.bytes && !row.body.sealed && stampOf(row.body.bytes) !== oldStamp) {
    facts.violated('as it was', `${nameOf(row)} keeps a stamp that was made for one attempt`);
  }
  if (row.state === 'pending' && row.dead) facts.violated('nothing silent', `${nameOf(row)} waits and is dead at once`);
  if (row.state === 'delivered' && !server.did(row.key)) {
    facts.violated('nothing lost', `${nameOf(row)} counts as delivered, but the server did not do it`);
  }
  if (row.state !== 'sending' && row.outcome === 'never-sent' && server.heardOf(row.key) && !facts.lied.has(row.key)) {
    facts.violated('one effect', `${nameOf(row)} says never-sent, but the server got it`);
  }
}

/** Whoever was made on top of what was written now is sent on top of it, unless it may have arrived already. */
function checkEtag(facts: Facts, { subject, lane, seq, request }: Entry, delivered: readonly Entry[]): void {
  const [next] = [...facts.rows.values()]
    .filter((row) => row.subject === subject && row.lane === lane && row.seq > seq && row.request.url === request.url)
    .filter((row) => row.state === 'pending' || row.state === 'sending' || row.holdsLane)
    .sort((one, other) => one.seq - other.seq);
  if (lane === null || next?.state !== 'pending' || next.outcome !== 'never-sent' || !next.chained) return;
  const etags = delivered.map(({ answer }) => (answer ? headerOf(answer.headers, 'etag') : null));
  if (etags.every((etag) => etag !== null) && !etags.some((etag) => etag === next.ifMatch)) {
    facts.violated('as it was', `${nameOf(next)} is to go on top of ${next.ifMatch}, not of ${etags.join(' or ')}`);
  }
}

/** One line has one head, and that is the first in it. */
function checkLine(facts: Facts, laneKey: string): void {
  const line = [...facts.rows.values()]
    .filter((row) => row.lane !== null && laneKeyOf(row.subject, row.lane) === laneKey)
    .filter((row) => row.state === 'pending' || row.state === 'sending' || row.holdsLane)
    .sort((one, other) => one.seq - other.seq);
  for (const [i, row] of line.entries()) {
    if (row.state !== 'pending') continue;
    if (row.head && i > 0) facts.violated('order', `${nameOf(row)} is a head behind ${nameOf(line[0] ?? row)}`);
    if (!row.head && i === 0) facts.violated('always wakes', `${nameOf(row)} stands first and is no head`);
  }
}

function checkBook(facts: Facts): void {
  const { rows, book } = facts;
  const counts: Record<string, Counts> = {};
  const buckets: Record<string, number> = {};
  for (const row of rows.values()) {
    const before = counts[row.subject] ?? noCounts;
    counts[row.subject] = {
      ...before,
      [row.state]: before[row.state] + 1,
      open: before.open + (row.state === 'dead' && row.dead?.triage !== 'closed' ? 1 : 0),
      bytes: before.bytes + (row.state === 'delivered' ? 0 : row.body.size),
    };
    if (row.state === 'pending' || row.state === 'sending') buckets[bucketOf(row)] = (buckets[bucketOf(row)] ?? 0) + 1;
  }
  if (!book) return;
  for (const row of rows.values()) {
    const lowest = book.lowest?.[row.subject]?.seq ?? -Infinity;
    if ((row.state === 'pending' || row.state === 'sending') && row.seq < lowest)
      facts.violated('counts', `${nameOf(row)} waits before ${lowest}, where the oldest is said to be`);
  }
  for (const [subject, count] of Object.entries(book.subjects)) {
    const real = counts[subject] ?? noCounts;
    for (const name of Object.keys(noCounts) as (keyof Counts)[]) {
      if (count[name] !== real[name])
        facts.violated('counts', `${name} is ${count[name]} in the book, ${real[name]} in the rows`);
    }
  }
  const names = new Set([...Object.keys(book.buckets), ...Object.keys(buckets)]);
  for (const name of names) {
    if ((book.buckets[name] ?? 0) !== (buckets[name] ?? 0)) {
      facts.violated(
        'counts',
        `bucket ${name.replaceAll('\n', '|')} is ${book.buckets[name]} in the book, ${buckets[name]} in the rows`,
      );
    }
  }
}
