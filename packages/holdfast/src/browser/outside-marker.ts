import { webStorage } from './supports';

/** What is remembered outside of IndexedDB. */
export interface OutsideNote {
  /** `createdAt` of the outbox's sentinel, epoch ms. */
  readonly createdAt: number;
  /** How many requests waited when it was last written; a hint for the message, not a count to rely on. */
  readonly waiting: number;
}

/**
 * A note that survives when IndexedDB alone is emptied: under pressure Chromium evicts IndexedDB and leaves web storage, and
 * so does a person or a library that deletes databases. WebKit and Firefox evict an origin whole, and workers have no web
 * storage; there an eviction cannot be told from a first visit. (A cookie could, but it would travel to the server.)
 */
export interface OutsideMarker {
  read(): OutsideNote | undefined;
  write(note: OutsideNote): void;
  forget(): void;
}

export function outsideMarker(outbox: string): OutsideMarker {
  const name = `holdfast:${outbox}`;
  return {
    read() {
      const [createdAt = NaN, waiting = NaN] = (webStorage()?.getItem(name) ?? '').split(' ').map(Number);
      return createdAt > 0 && waiting >= 0 ? { createdAt, waiting } : undefined;
    },
    write({ createdAt, waiting }) {
      try {
        webStorage()?.setItem(name, `${createdAt} ${waiting}`);
      } catch {
        // Full or read-only (old private modes): then an eviction goes unnoticed, and nothing else.
      }
    },
    forget: () => webStorage()?.removeItem(name),
  };
}
