import { holdSync, type Probe } from './lab';

declare const self: ServiceWorkerGlobalScope;

/** Runs a probe for each message that names one; a message that names none gets the names. */
export function takeProbes(probes: Readonly<Record<string, Probe>>): void {
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
}
