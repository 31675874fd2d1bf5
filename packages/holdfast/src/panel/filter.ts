import type { EntryView } from '../core/snapshot';
import { stateWord, type Group } from './row';
import type { Words } from './words/words';

/** What the list shows; `null` and `''` mean no limit. */
export interface Filter {
  readonly group: Group | null;
  readonly query: string;
  readonly route: string | null;
}

export const everything: Filter = { group: null, query: '', route: null };

/** Whether an entry fits. Every word of the query has to be found somewhere in it, in any case, with or without accents. */
export function fits(entry: EntryView, { query, route }: Filter, words: Words): boolean {
  if (route !== null && entry.route !== route) return false;
  const wanted = plain(query).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return true;
  const { title, method, url, lane, id, dead, why, lastFailure } = entry;
  const text = plain(
    [
      title,
      stateWord(entry, { words }),
      method,
      url,
      entry.route,
      lane,
      id,
      why && words.why[why.kind],
      dead && `${words.reason[dead.reason]} ${dead.message} ${dead.assignee ?? ''} ${dead.resolution ?? ''}`,
      lastFailure && `${lastFailure.status} ${words.failure[lastFailure.class]} ${lastFailure.message}`,
    ].join(' '),
  );
  return wanted.every((word) => text.includes(word));
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
