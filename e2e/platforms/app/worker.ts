import './lack';
import { installOutbox } from 'holdfast/sw';
import { config } from './config';

/** What this worker uses of its global scope; page and worker are checked together, with the types of a page. */
declare const self: EventTarget & {
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
};

installOutbox(config);
self.addEventListener('install', () => void self.skipWaiting());
self.addEventListener('activate', () => void self.clients.claim());
