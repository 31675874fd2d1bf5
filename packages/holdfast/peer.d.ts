import 'vitest/browser';

/** What a `*.browser.ts` test can ask of the machine it runs on; see `e2e/peer`. */
declare module 'vitest/browser' {
  interface BrowserCommands {
    /** Starts an echo server of another origin, on any free port or on that of a stopped one. Gives its URL. */
    startPeer(port?: number): Promise<string>;
    /** Stops it and cuts its connections: from now on its port refuses. */
    stopPeer(url: string): Promise<void>;
  }
}
