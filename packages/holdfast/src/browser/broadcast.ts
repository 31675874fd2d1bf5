import type { Channel } from '../ports';
import { hasBroadcastChannel } from './supports';

/** A channel that can let go of the wire and take it up again, for pages that go into the back/forward cache. */
export interface BroadcastLine extends Channel {
  /** Lets go of the wire, keeping the listeners: an open one keeps a page out of the cache, or throws it out. */
  pause(): void;
  /** Takes it up again; what was said meanwhile is lost, so read the store. */
  resume(): void;
}

/**
 * BroadcastChannel as `Channel`. The wire is opened with the first word or listener. Where the engine has none, nothing is
 * heard: every reader looks into the store anyway.
 */
export function broadcast(name: string): BroadcastLine {
  const listeners = new Set<(message: unknown) => void>();
  let wire: BroadcastChannel | undefined;
  let paused = false;
  let closed = false;

  function open(): BroadcastChannel | undefined {
    if (wire || paused || closed || !hasBroadcastChannel()) return wire;
    wire = new BroadcastChannel(name);
    wire.onmessage = (event) => {
      for (const listener of listeners) listener(event.data);
    };
    return wire;
  }
  function letGo(): void {
    wire?.close();
    wire = undefined;
  }

  return {
    hears: hasBroadcastChannel(),
    post: (message) => open()?.postMessage(message),
    subscribe(listener) {
      listeners.add(listener);
      open();
      return () => void listeners.delete(listener);
    },
    pause() {
      paused = true;
      letGo();
    },
    resume() {
      paused = false;
      if (listeners.size > 0) open();
    },
    close() {
      closed = true;
      letGo();
      listeners.clear();
    },
  };
}
