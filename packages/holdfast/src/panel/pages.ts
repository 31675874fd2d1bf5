import type { EntryView } from '../core/snapshot';
import type { Outbox } from '../page/client';
import { errorText, type Desk, type Page } from './desk';
import { groupOf, type Group } from './row';
import { groups, totalOf } from './view';

/** Entries read at a time. */
const pageSize = 200;

/** Reads on in what is listed, as far as the store has more of it. */
export function loadMore(desk: Desk): void {
  const { snapshot, state } = desk;
  if (!snapshot) return;
  for (const group of state.filter.group ? [state.filter.group] : groups) {
    const known = desk.entries.filter((entry) => groupOf(entry) === group).length;
    if (known < totalOf(group, snapshot.counts)) void loadGroup(desk, group, snapshot.revision);
  }
}

/** Reads on in a group, beyond what the snapshot holds. Does nothing while it is reading or when all is read. */
async function loadGroup(desk: Desk, group: Group, revision: number): Promise<void> {
  const { outbox } = desk;
  const page = desk.state.pages.get(group) ?? { entries: [], done: false, loading: false, revision };
  if (!outbox || page.done || page.loading) return;
  const put = (next: Partial<Page>): void =>
    desk.set({ pages: new Map(desk.state.pages).set(group, { ...page, ...next }) });
  put({ loading: true });
  try {
    const more = await read(outbox, group, pageSize, page.entries.at(-1)?.seq);
    put({ entries: [...page.entries, ...more], done: more.length < pageSize, loading: false });
  } catch (error) {
    put({ loading: false });
    desk.set({ error: errorText(error, desk.words) });
  }
}

/** Reads again what had been read, because the outbox changed since: as many as before, from the beginning. */
export async function reread(desk: Desk): Promise<void> {
  const { outbox, snapshot } = desk;
  if (!outbox || !snapshot) return;
  const { revision } = snapshot;
  for (const [group, page] of desk.state.pages) {
    if (page.loading || page.revision === revision) continue;
    const wanted = Math.max(pageSize, page.entries.length);
    const entries = await read(outbox, group, wanted).catch(() => null);
    const now = desk.state.pages.get(group);
    // Something was read on meanwhile, or the read failed: what is shown stays, the next look tries again.
    if (!entries || now !== page) continue;
    desk.set({
      pages: new Map(desk.state.pages).set(group, { entries, done: entries.length < wanted, loading: false, revision }),
    });
  }
}

function read(outbox: Outbox, group: Group, limit: number, after?: number): Promise<readonly EntryView[]> {
  const from = { limit, ...(after !== undefined && { after }) };
  switch (group) {
    case 'waiting':
      return outbox.list({ ...from, state: 'pending' });
    case 'sending':
      return outbox.list({ ...from, state: 'sending' });
    case 'confirmed':
      return outbox.list({ ...from, state: 'delivered', direction: 'newest-first' });
    case 'closed':
      return outbox.dead.list({ ...from, triage: 'closed' });
    case 'attention':
      return outbox.dead.list(from);
  }
}
