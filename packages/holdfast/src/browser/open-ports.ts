import type { Entry } from '../core/entry';
import type { Body, Ports } from '../ports';
import { bodyKeeper, loadBody, type BodyKeeper } from './bodies';
import { broadcast, type BroadcastLine } from './broadcast';
import { fetchTransport } from './fetch-transport';
import { openStore, type OpenedStore } from './open-store';
import { system } from './system';
import { createVault, type Vault } from './vault';
import { webLock } from './web-lock';

/** The real ports of one outbox in this context. Nothing is opened before it is needed. */
export interface BrowserPorts extends Ports {
  readonly store: OpenedStore;
  readonly channel: BroadcastLine;
  readonly prepareBody: BodyKeeper;
  readonly loadBody: (entry: Entry) => Promise<Body | null>;
  readonly vault?: Vault;
}

/** @param send the `fetch` to send with. @default the platform's, looked up at each request */
export function openPorts(outbox: string, encrypt = false, send?: typeof fetch): BrowserPorts {
  const name = `holdfast:${outbox}`;
  const store = openStore(outbox, { system });
  return {
    store,
    channel: broadcast(name),
    transport: fetchTransport({ system, ...(send && { fetch: send }) }),
    lock: webLock(name),
    system,
    prepareBody: bodyKeeper(store),
    loadBody: (entry) => loadBody(store, entry),
    ...(encrypt && { vault: createVault(store) }),
  };
}
