import type { Entry } from '../../core/entry';
import { OutboxError } from '../../core/errors';
import type { Context } from '../context';
import { act } from './find';

/** Which entries an act is about; all given fields must fit. */
export interface Filter {
  readonly ids?: readonly string[];
  readonly route?: string;
  readonly lane?: string | null;
  readonly state?: Entry['state'];
}

export function fits(entry: Entry, { ids, route, lane, state }: Filter): boolean {
  return (
    (ids === undefined || ids.includes(entry.id)) &&
    (route === undefined || entry.route === route) &&
    (lane === undefined || entry.lane === lane) &&
    (state === undefined || entry.state === state)
  );
}

/** Rows one transaction looks at: a change of a hundred thousand goes in steps, and the queue works on between them. */
const step = 500;

/**
 * Gives waiting entries another urgency. @param priority 0 (most urgent) to 7
 * @returns how many were changed
 * @throws OutboxError `bad-option`
 */
export async function reprioritize(context: Context, filter: Filter, priority: number): Promise<number> {
  if (!Number.isInteger(priority) || priority < 0 || priority > 7) {
    throw new OutboxError('bad-option', `priority must be a whole number from 0 to 7, got ${priority}`);
  }
  let changed = 0;
  for (let after: number | undefined = 0; after !== undefined;) {
    const from: number = after;
    const done = await act(context, async (ledger, subject) => {
      const rows = await ledger.rows.list({ subject, state: 'pending', limit: step, after: from });
      const chosen = rows.filter((entry) => fits(entry, filter) && entry.priority !== priority);
      for (const entry of chosen) await ledger.update(entry, { priority });
      return { changed: chosen.length, next: rows.length === step ? rows.at(-1)?.seq : undefined };
    });
    changed += done.changed;
    after = done.next;
  }
  return changed;
}
