import { beside } from './probes/beside';
import { keeping } from './probes/keeping';
import { making } from './probes/making';
import { sending } from './probes/sending';
import { holdSync, type Probe } from './lab';

declare const self: ServiceWorkerGlobalScope;

/** In this order: the first one needs a database nobody has used. */
const probes: Record<string, Probe> = { ...keeping, ...making, ...sending, ...beside };

self.addEventListener('install', () => void self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('message', (event) => {
  const [port] = event.ports;
  const { probe } = event.data as { probe?: string };
  if (!port) return;
  if (probe === undefined) return port.postMessage(Object.keys(probes));
  holdSync();
  event.waitUntil(
    (async () => {
      try {
        port.postMessage({ seen: (await probes[probe]?.()) ?? null });
      } catch (error) {
        port.postMessage({ seen: { threw: String(error), stack: (error as Error).stack ?? '' } });
      }
    })(),
  );
});
