importScripts('/holdfast.sw.classic.js', '/outbox.js');

holdfast.installOutbox(self.outboxConfig);

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
