/** Something that changes and can be looked at: what every framework door reads, and all it knows of the outbox. */
export interface Followed<T> {
  /** Calls back after every change; listens to the outbox only while somebody listens here. @returns how to stop */
  readonly subscribe: (listener: () => void) => () => void;
  /** The same object until something has changed. */
  readonly getSnapshot: () => T;
  /** What a server renders, and a page until it has taken over the server's HTML. */
  readonly initial: T;
}

/** Listeners of a `Followed`, and a connection that is open while there are any. */
export function createListeners(connect: () => () => void): {
  readonly subscribe: (listener: () => void) => () => void;
  readonly tell: () => void;
} {
  const listeners = new Set<() => void>();
  let disconnect: (() => void) | undefined;
  return {
    subscribe(listener) {
      // A function of its own each time: one listener may well subscribe twice (React's StrictMode does).
      const own = (): void => listener();
      listeners.add(own);
      disconnect ??= connect();
      return () => {
        if (!listeners.delete(own) || listeners.size > 0) return;
        disconnect?.();
        disconnect = undefined;
      };
    },
    tell() {
      for (const listener of [...listeners]) listener();
    },
  };
}
