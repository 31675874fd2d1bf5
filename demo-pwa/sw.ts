import { installOutbox } from 'holdfast/sw';
import { clientsClaim } from 'workbox-core';
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
  type PrecacheEntry,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { config } from './outbox';
import { answerRead, isKept } from './worker/saved-reads';

declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: (PrecacheEntry | string)[] };

// The outbox: writes.
installOutbox({
  ...config,
  log: ({ event }) => {
    // What the app would show next time without a network must have what was just delivered in it.
    if (event === 'drained') void refreshReads();
  },
});

// The shell: every page of the app is one file, and all of it is here after the first visit.
cleanupOutdatedCaches();
precacheAndRoute(self.__WB_MANIFEST);
registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: [/^\/api\//, /^\/__/] }));

// Reads of the API.
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (!isKept(request.method, new URL(request.url), self.location.origin)) return;
  const { answer, done } = answerRead(request);
  event.respondWith(answer);
  event.waitUntil(done);
});

async function refreshReads(): Promise<void> {
  const reads = ['/api/notes'].map((path) => answerRead(new Request(path)).done);
  await Promise.all(reads);
}

// The first visit is looked after too, and a new version takes over at once: old and new share one store.
void self.skipWaiting();
clientsClaim();
