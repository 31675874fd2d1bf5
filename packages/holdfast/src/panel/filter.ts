import type { EntryView } from '../core/snapshot';
import type { Filter } from './desk';
import { stateWord } from './row';
import type { FirstWords } from './words/words';

/** Whether an entry fits. Every word of the query has to be found somewhere in it, in any case, with or without accents. */
export function fits(entry: EntryView, { query, route }: Filter, words: FirstWords): boolean {
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
      lastFailure && `${lastFailure.status} ${lastFailure.class} ${lastFailure.message}`,
    ].join(' '),
  );
  return wanted.every((word) => text.includes(word));
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
