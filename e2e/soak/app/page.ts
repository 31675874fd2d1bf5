import { openOutbox } from 'holdfast/page';
import { config } from './config.ts';

/** What the harness asks of a page. */
export interface SoakPage {
  readonly controlled: () => boolean;
  readonly pause: () => Promise<void>;
  readonly resume: () => Promise<void>;
  /** Stores so many writes, a hundred at a time; `from` numbers them. */
  readonly fill: (order: { readonly from: number; readonly count: number }) => Promise<void>;
  /** How many wait, by this page's own snapshot. */
  readonly waiting: () => number;
  /** Bytes of this page's JavaScript heap. */
  readonly heap: () => number;
}

const lanes = 50;
const together = 100;
// A window shows one of its tabs; a browser without windows says of each that it is seen.
if (location.search === '?behind') Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
const outbox = openOutbox(config);
outbox.subscribe(({ counts }) => (document.title = `${counts.pending} waiting`));
void navigator.serviceWorker.register('/worker.js');

const add = (nth: number): Promise<unknown> =>
  outbox.add(nth % 2 === 0 ? '/api/loose' : `/api/lane/${(nth >> 1) % lanes}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ nth, note: 'Extinguisher checked, seal intact, next check in a year.' }),
  });

const soak: SoakPage = {
  controlled: () => navigator.serviceWorker.controller !== null,
  pause: () => outbox.pause(),
  resume: () => outbox.resume(),
  async fill({ from, count }) {
    for (let at = from; at < from + count; at += together) {
      await Promise.all(Array.from({ length: Math.min(together, from + count - at) }, (_, i) => add(at + i)));
    }
  },
  waiting: () => outbox.getSnapshot().counts.pending + outbox.getSnapshot().counts.sending,
  heap: () => (performance as Performance & { memory?: { usedJSHeapSize: number } }).memory?.usedJSHeapSize ?? 0,
};
Object.assign(window, { soak });
