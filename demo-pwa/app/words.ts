import { html, type TemplateResult } from 'lit';
import { icon } from './icon';
import type { Stage } from './round';

/** What each rating means, from 1 to 5. */
export const ratings = ['Stop using it', 'Poor', 'Fair', 'Good', 'As new'] as const;

export function ratingWord(rating: number): string {
  return ratings[rating - 1] ?? String(rating);
}

const stages = {
  confirmed: { word: 'Confirmed', icon: 'checks' },
  saved: { word: 'Saved on this device', icon: 'device' },
  sending: { word: 'Sending', icon: 'up' },
  attention: { word: 'Needs attention', icon: 'attention' },
} as const;

/** Where something an inspector wrote is, in the product's own three words, or the fourth. */
export function stageChip(stage: Stage): TemplateResult {
  const { word, icon: drawing } = stages[stage];
  return html`<span class="stage ${stage}" data-stage=${stage}>${icon(drawing)}${word}</span>`;
}

export function stageWord(stage: Stage): string {
  return stages[stage].word;
}

const time = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric', month: 'short' });
const seconds = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** "14:05" today, "Mon, 3 Nov, 14:05" otherwise. */
export function moment(at: number, now = Date.now()): string {
  const sameDay = day.format(at) === day.format(now);
  return sameDay ? time.format(at) : `${day.format(at)}, ${time.format(at)}`;
}

export function clockTime(at: number): string {
  return seconds.format(at);
}

export function today(now = Date.now()): string {
  return new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' }).format(now);
}

/** A distance in time: "40 ms", "1.4 s", "12 s", "3 min". */
export function span(ms: number): string {
  if (ms < 1_000) return `${Math.round(Math.max(0, ms))} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 120_000) return `${Math.round(ms / 1_000)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

/** "in 4 seconds", "2 minutes ago". */
export function fromNow(at: number, now: number): string {
  const inSeconds = Math.round((at - now) / 1_000);
  if (Math.abs(inSeconds) < 90) return relative.format(inSeconds, 'second');
  const inMinutes = Math.round(inSeconds / 60);
  return Math.abs(inMinutes) < 90
    ? relative.format(inMinutes, 'minute')
    : relative.format(Math.round(inMinutes / 60), 'hour');
}

const plurals = new Intl.PluralRules('en');

/** "1 record", "3 records". */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${n} ${plurals.select(n) === 'one' ? one : many}`;
}
