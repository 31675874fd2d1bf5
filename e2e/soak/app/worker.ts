import { installOutbox } from 'holdfast/sw';
import { config } from './config.ts';

interface Scope extends EventTarget {
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
}

const scope = globalThis as unknown as Scope;
scope.addEventListener('install', () => void scope.skipWaiting());
scope.addEventListener('activate', (event) =>
  (event as unknown as { waitUntil(work: Promise<void>): void }).waitUntil(scope.clients.claim()),
);
installOutbox(config);
