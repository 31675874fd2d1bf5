/** Live requests of this worker by key, so that the page that made one can take it back: its own abort never gets here. */
export interface Underway {
  /** The signal of a request that begins; `end` when it is over. */
  begin(key: string | undefined): { readonly stop: AbortSignal; readonly end: () => void };
  abandon(key: string): void;
}

export function createUnderway(): Underway {
  const stops = new Map<string, AbortController>();
  return {
    begin(key) {
      const stop = new AbortController();
      if (key !== undefined) stops.set(key, stop);
      return {
        stop: stop.signal,
        end: () => {
          if (key !== undefined && stops.get(key) === stop) stops.delete(key);
        },
      };
    },
    abandon: (key) => stops.get(key)?.abort(),
  };
}
