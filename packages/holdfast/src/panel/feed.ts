import type { ReactiveControllerHost } from 'lit';
import type { OutboxSnapshot } from '../core/snapshot';
import type { Outbox, OutboxEvent } from '../page/client';

/** The latest look at an outbox, while the element is in a document. */
export interface Feed {
  readonly snapshot: OutboxSnapshot | null;
  /** Listens to another outbox, or to none. */
  follow(outbox: Outbox | null): void;
}

/** Subscribes while connected; a panel taken out of the page keeps no listener and no timer. */
export function feed(
  host: ReactiveControllerHost,
  changed: (snapshot: OutboxSnapshot) => void = () => undefined,
  happened?: (event: OutboxEvent) => void,
): Feed {
  let outbox: Outbox | null = null;
  let snapshot: OutboxSnapshot | null = null;
  let stop: (() => void) | undefined;
  let connected = false;
  const settle = (): void => {
    stop?.();
    stop = undefined;
    snapshot = outbox?.getSnapshot() ?? null;
    if (!outbox || !connected) return;
    const stopLooking = outbox.subscribe((next) => {
      snapshot = next;
      changed(next);
      host.requestUpdate();
    });
    // Events are read from the store, one look per change: only who wants them pays for them.
    const stopHearing = happened && outbox.on(happened);
    stop = () => {
      stopLooking();
      stopHearing?.();
    };
  };
  host.addController({
    hostConnected() {
      connected = true;
      settle();
    },
    hostDisconnected() {
      connected = false;
      stop?.();
      stop = undefined;
    },
  });
  return {
    get snapshot() {
      return snapshot;
    },
    follow(next) {
      if (next === outbox) return;
      outbox = next;
      settle();
      host.requestUpdate();
    },
  };
}
