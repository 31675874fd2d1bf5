import type { OutboxSnapshot } from '../core/snapshot';
import type { Format } from './format';
import type { FirstWords } from './words/words';

/**
 * What a screen reader is told after a change; `''` for nothing. Only what someone would want to be interrupted for:
 * not every request of a hundred that goes out, but that one needs attention, that all are through, that the connection changed.
 */
export function announcement(before: OutboxSnapshot, after: OutboxSnapshot, words: FirstWords, format: Format): string {
  if (!before.ready || !after.ready) return '';
  const said: string[] = [];
  if (after.counts.open > before.counts.open) said.push(format.plural(words.said.attention, after.counts.open));
  if (after.connectivity !== before.connectivity) {
    if (after.connectivity === 'offline') said.push(words.said.offline);
    if (before.connectivity === 'offline' && after.connectivity === 'online') said.push(words.said.online);
  }
  const busyBefore = before.counts.pending + before.counts.sending;
  const busyAfter = after.counts.pending + after.counts.sending;
  if (busyBefore > 0 && busyAfter === 0 && after.counts.open === 0) said.push(words.said.allConfirmed);
  return said.join(' ');
}
