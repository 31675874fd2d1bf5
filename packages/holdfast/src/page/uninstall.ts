import { outsideMarker } from '../browser/outside-marker';
import { removeDatabase } from '../browser/remove-database';
import { system } from '../browser/system';
import { resolveConfig } from '../core/config';
import type { Book } from '../core/control';
import { OutboxError } from '../core/errors';
import type { OutboxConfig } from '../core/options';

export interface UninstallOptions {
  /** Also when something waits or needs attention: it is thrown away. @default false */
  readonly force?: boolean;
}

/**
 * Takes an outbox off this device for good: its database, then the service worker of this page's scope, whatever else that
 * does. Refuses while anything waits or a dead letter is open, of whomever, and then changes nothing.
 * @throws OutboxError `still-pending`, `storage-blocked`, `storage-unavailable`
 */
export async function uninstallOutbox(config: OutboxConfig, { force = false }: UninstallOptions = {}): Promise<void> {
  const { name } = resolveConfig(config);
  await removeDatabase(name, { system }, (book) => (force ? undefined : whatWaits(name, book)));
  outsideMarker(name).forget();
  if (!('serviceWorker' in navigator)) return;
  await (await navigator.serviceWorker.getRegistration())?.unregister();
}

function whatWaits(name: string, book: Book | undefined): OutboxError | undefined {
  const all = Object.values(book?.subjects ?? {});
  const waiting = all.reduce((sum, { pending, sending }) => sum + pending + sending, 0);
  const open = all.reduce((sum, counts) => sum + counts.open, 0);
  if (waiting + open === 0) return undefined;
  return new OutboxError(
    'still-pending',
    `In the outbox "${name}" ${waiting} requests wait and ${open} dead letters are open, of everybody on this device. ` +
      'Go on with openOutbox until they are sent and closed, or save them with export(); { force: true } throws them away.',
  );
}
