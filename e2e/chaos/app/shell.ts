/** The part of a worker that any app has: its pages open without a server, and a release may take over at once or wait. */

interface WorkerScope extends EventTarget {
  /** Put in front of the script by the server. */
  readonly release: { readonly skip: boolean };
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
}

interface WorkerEvent extends Event {
  readonly request: Request;
  waitUntil(work: Promise<unknown>): void;
  respondWith(response: Promise<Response>): void;
}

const files = ['/app/', '/page.js'];

export function installShell(): void {
  const self = globalThis as unknown as WorkerScope;
  const on = (type: string, work: (event: WorkerEvent) => void): void =>
    self.addEventListener(type, work as (event: Event) => void);
  on('install', (event) => {
    event.waitUntil(caches.open('shell').then((shell) => shell.addAll(files)));
    if (self.release.skip) void self.skipWaiting();
  });
  on('activate', (event) => event.waitUntil(self.clients.claim()));
  on('fetch', (event) => {
    const { request } = event;
    if (request.method !== 'GET' || !files.includes(new URL(request.url).pathname)) return;
    event.respondWith(caches.match(request, { ignoreSearch: true }).then((known) => known ?? fetch(request)));
  });
}
