import { BackgroundSyncPlugin } from 'workbox-background-sync';
import { clientsClaim } from 'workbox-core';
import { precacheAndRoute } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { NetworkOnly } from 'workbox-strategies';

self.skipWaiting();
clientsClaim();
precacheAndRoute(self.__WB_MANIFEST);

const notes = new NetworkOnly({ plugins: [new BackgroundSyncPlugin('notes', { maxRetentionTime: 24 * 60 })] });
registerRoute(({ url }) => url.pathname.startsWith('/__echo/notes'), notes, 'POST');
