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

installOutbox(config);
self.addEventListener('install', (event) => {
  (event as WorkerEvent).waitUntil(caches.open('pages').then((pages) => pages.add('/saved')));
  void self.skipWaiting();
});
self.addEventListener('activate', () => void self.clients.claim());
// The app's own part: the page that a form post is led to must be there without a network.
self.addEventListener('fetch', (event) => {
  const fetching = event as WorkerEvent;
  if (new URL(fetching.request.url).pathname !== '/saved') return;
  fetching.respondWith(caches.match('/saved').then((saved) => saved ?? fetch(fetching.request)));
});
