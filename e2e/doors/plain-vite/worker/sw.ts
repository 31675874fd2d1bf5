import { installOutbox } from 'holdfast/sw';
import { config } from '../outbox';

declare const self: ServiceWorkerGlobalScope;

installOutbox(config);

void self.skipWaiting();
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
