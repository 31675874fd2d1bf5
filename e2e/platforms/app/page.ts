import './lack';
import { openOutbox, uninstallOutbox, type Outbox } from 'holdfast/page';
import { config } from './config';

export interface PlatformApp {
  readonly outbox: Outbox;
  /** Writes each text through the wrapper, all at once. @returns the statuses the page was answered with */
  write(run: string, texts: readonly string[]): Promise<readonly number[]>;
  /** How the network looks to this page from now on: one event after the other. */
  say(events: readonly ('online' | 'offline')[]): void;
  /** Takes the outbox off this device. @returns the code of what it was refused with, or nothing */
  uninstall(force: boolean): Promise<string>;
}

const outbox = openOutbox(config);
const app: PlatformApp = {
  outbox,
  write: (run, texts) =>
    Promise.all(texts.map(async (body) => (await outbox.fetch(`/__echo?run=${run}`, { method: 'POST', body })).status)),
  say: (events) => events.forEach((type) => window.dispatchEvent(new Event(type))),
  uninstall: (force) =>
    uninstallOutbox(config, { force }).then(
      () => '',
      ({ code }: { code: string }) => code,
    ),
};
Object.assign(window, { app });

if (!location.search.includes('alone')) void navigator.serviceWorker.register(`/worker.js${location.search}`);
