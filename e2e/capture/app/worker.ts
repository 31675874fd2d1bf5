import { said } from './said';
import { installOutbox } from 'holdfast/sw';
import { config } from './config';

/** What this worker uses of its global scope; page and worker are checked together, with the types of a page. */
declare const self: EventTarget & {
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
};
interface WorkerEvent extends Event {
  readonly request: Request;
  waitUntil(work: Promise<unknown>): void;
  respondWith(response: Promise<Response>): void;
}

// `?deaf`: somebody else's listener takes all messages for his. Pages then send themselves, past this worker.
if (location.search.includes('deaf')) self.addEventListener('message', (event) => event.stopImmediatePropagation());
installOutbox(config, { onlyWrites: location.search.includes('only-writes') });
self.addEventListener('install', (event) => {
  (event as WorkerEvent).waitUntil(caches.open('pages').then((pages) => pages.add('/saved')));
  void self.skipWaiting();
});
self.addEventListener('activate', () => void self.clients.claim());
// A page asks what was said to this worker's console.
self.addEventListener('message', (event) => {
  const { data, ports } = event as MessageEvent<unknown>;
  if (data === 'said') ports[0]?.postMessage(said);
});
// The app's own part: the page that a form post is led to must be there without a network.
self.addEventListener('fetch', (event) => {
  const fetching = event as WorkerEvent;
  if (new URL(fetching.request.url).pathname !== '/saved') return;
  fetching.respondWith(caches.match('/saved').then((saved) => saved ?? fetch(fetching.request)));
});
