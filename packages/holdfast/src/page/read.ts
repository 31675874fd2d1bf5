import { openGates } from '../core/control';
import type { Entry } from '../core/entry';
import { own } from '../core/own';
import { compilePattern } from '../core/pattern';
import type { EntryView } from '../core/snapshot';
import { statsFrom, type Stats } from '../core/stats';
import { noCounts, noTally, emptyBook } from '../core/control';
import type { WaitReason } from '../core/wait-reason';
import { fits } from '../flow/acts/reprioritize';
import { unfold } from '../flow/content';
import type { Context } from '../flow/context';
import { isCredential } from '../core/header-pairs';
import { seen, sightOf } from '../flow/look';
import { waiting } from '../flow/waiting';
import type { EntryContent, ListOptions } from './client';

/** Shown instead of a secret's value. */
const redacted = '•••';

/** Reading for pages: nothing here changes the queue. */
export function createReader(context: Context) {
  const whose = async (): Promise<string> => (await context.subject()) ?? '';

  async function find(id: string): Promise<EntryView | undefined> {
    const subject = await whose();
    return context.store.transact('read', async (rows) => {
      const [entry, gates = openGates] = await Promise.all([rows.byId(id), rows.control('gates')]);
      return entry?.subject === subject ? seen(entry, sightOf(context, gates, subject)) : undefined;
    });
  }

  /** Walks each state's rows from `after` on until `limit` of them fit; what is told is in the order of `seq`, so it can be read on. */
  async function list(options: ListOptions = {}, extra: (entry: Entry) => boolean = () => true): Promise<EntryView[]> {
    const { limit = 100, after, direction = 'oldest-first', state } = options;
    const subject = await whose();
    const states: readonly Entry['state'][] = state ? [state] : ['sending', 'pending', 'dead', 'delivered'];
    return context.store.transact('read', async (rows) => {
      const gates = (await rows.control('gates')) ?? openGates;
      const sight = sightOf(context, gates, subject);
      const found: Entry[] = [];
      for (const one of states) {
        let from = after;
        for (const upTo = found.length + limit; found.length < upTo;) {
          const page = await rows.list({
            subject,
            state: one,
            limit: 200,
            direction,
            ...(from !== undefined && { after: from }),
          });
          found.push(...page.filter((entry) => fits(entry, options) && extra(entry)));
          from = page.at(-1)?.seq;
          if (page.length < 200) break;
        }
      }
      const sign = direction === 'oldest-first' ? 1 : -1;
      found.sort((one, other) => sign * (one.seq - other.seq));
      return found.slice(0, limit).map((entry) => seen(entry, sight));
    });
  }

  async function content(id: string, secrets = false): Promise<EntryContent | undefined> {
    const subject = await whose();
    const entry = await context.store.transact('read', (rows) => rows.byId(id));
    if (entry?.subject !== subject) return undefined;
    const { request, body } = await unfold(context, entry);
    return {
      method: request.method,
      url: request.url,
      headers: request.headers.map(
        ([name, value]) => [name, secrets || !isCredential(name) ? value : redacted] as const,
      ),
      body: body === null ? null : new Blob([body as BlobPart], { type: entry.body.type }),
    };
  }

  async function stats(): Promise<Stats> {
    const subject = await whose();
    const now = context.system.now();
    return context.store.transact('read', async (rows) => {
      const [book = emptyBook, dead] = await Promise.all([
        rows.control('book'),
        rows.list({ subject, state: 'dead', limit: 200 }),
      ]);
      const [pending] = await waiting(rows, book, subject, 'pending', 1);
      const openDead = dead.find((entry) => entry.dead?.triage !== 'closed');
      const oldest = { pendingAt: pending?.createdAt ?? null, openDeadAt: openDead?.dead?.at ?? null };
      return statsFrom(
        own(book.tallies ?? {}, subject) ?? noTally,
        own(book.subjects, subject) ?? noCounts,
        oldest,
        now,
      );
    });
  }

  return {
    find,
    list,
    content,
    stats,
    explain: async (id: string): Promise<WaitReason | null> => (await find(id))?.why ?? null,
    async pendingFor(pattern: string): Promise<readonly EntryView[]> {
      const matcher = compilePattern(pattern);
      const fitting = (entry: Entry): boolean => matcher(entry.request.url, context.origin) !== null;
      const waiting = await Promise.all([list({ state: 'sending' }, fitting), list({ state: 'pending' }, fitting)]);
      return waiting.flat();
    },
  };
}
