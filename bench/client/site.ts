import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What pages may ask of the bench, beside their work. */
export interface SiteTools {
  /** Nanoseconds that the main threads of all pages have been computing. */
  readonly pageCpuNs: () => number;
}

/**
 * Two servers: the app's (pages, scripts, an API that says 201), which can go away, and the bench's own, which cannot.
 * Every job has an origin of its own (`<job>.localhost`), so that nobody finds another's worker or database.
 */
export interface Site {
  readonly control: string;
  /** Shows a page; resolves with what it reported. */
  run(host: string, script: string, options: Readonly<Record<string, string>>, limitMs: number): Promise<unknown>;
  /** Where the browser must begin: this page waits for the first job. */
  readonly start: string;
  close(): Promise<void>;
}

interface Waiting {
  readonly count: number;
  readonly response: ServerResponse;
}

const page = (script: string): string => `<!doctype html>
<meta charset="utf-8">
<title>Holdfast bench</title>
<link rel="icon" href="data:,">
<script src="${script}"></script>
`;

export async function openSite(scripts: ReadonlyMap<string, string>, tools: SiteTools): Promise<Site> {
  let answered = 0;
  let waiting: Waiting[] = [];
  let nextPage: ((url: string) => void) | undefined;
  let queued: string | undefined;
  let report: ((body: string) => void) | undefined;

  function countAnswer(): void {
    answered += 1;
    for (const { count, response } of waiting) if (answered >= count) response.end('{}');
    waiting = waiting.filter(({ count }) => answered < count);
  }

  async function app(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://app');
    if (pathname.startsWith('/api/')) {
      await readAll(request);
      response.writeHead(201, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      response.end('{"ok":true}', countAnswer);
      return;
    }
    if (pathname === '/static.txt') {
      response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store' });
      response.end('nothing to see');
      return;
    }
    const script = scripts.get(pathname);
    if (pathname !== '/' && script === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': script === undefined ? 'text/html' : 'text/javascript' });
    response.end(script ?? page(searchParams.get('script') ?? '/idle.page.js'));
  }

  const appServer = switchable(createServer((request, response) => void app(request, response)));
  await appServer.up();

  async function bench(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bench');
    response.writeHead(200, { 'access-control-allow-origin': '*', 'cache-control': 'no-store' });
    switch (pathname) {
      case '/server':
        await (searchParams.get('state') === 'up' ? appServer.up() : appServer.down());
        response.end('{}');
        return;
      case '/reset':
        answered = 0;
        response.end('{}');
        return;
      case '/answered': {
        const count = Number(searchParams.get('count'));
        if (answered >= count) response.end('{}');
        else waiting.push({ count, response });
        return;
      }
      case '/cpu':
        response.end(JSON.stringify({ ns: tools.pageCpuNs() }));
        return;
      case '/next':
        if (queued !== undefined) response.end(queued);
        else nextPage = (url) => response.end(url);
        queued = undefined;
        return;
      case '/report':
        report?.((await readAll(request)).toString('utf8'));
        response.end('{}');
        return;
      default:
        response.end('{}');
    }
  }
  const benchServer = createServer((request, response) => void bench(request, response));
  await listen(benchServer, 0);
  const control = `http://127.0.0.1:${portOf(benchServer)}`;
  const urlOf = (host: string, options: Readonly<Record<string, string>>): string =>
    `http://${host}.localhost:${appServer.port()}/?${new URLSearchParams({ ...options, control }).toString()}`;

  return {
    control,
    start: urlOf('idle', {}),
    async run(host, script, options, limitMs) {
      await appServer.up();
      answered = 0;
      waiting = [];
      const url = urlOf(host, { ...options, script });
      if (nextPage) nextPage(url);
      else queued = url;
      nextPage = undefined;
      let timer: NodeJS.Timeout | undefined;
      try {
        const body = await new Promise<string>((resolve, reject) => {
          report = resolve;
          timer = setTimeout(() => reject(new Error(`no report within ${limitMs} ms from ${url}`)), limitMs);
        });
        return JSON.parse(body) as unknown;
      } finally {
        clearTimeout(timer);
        report = undefined;
      }
    },
    async close() {
      await appServer.down();
      benchServer.closeAllConnections();
      await new Promise((resolve) => benchServer.close(resolve));
    },
  };
}

/** A server that can stop listening and come back on the same port, connections and all. */
function switchable(server: Server): { up(): Promise<void>; down(): Promise<void>; port(): number } {
  let port = 0;
  server.keepAliveTimeout = 60_000;
  return {
    async up() {
      if (server.listening) return;
      await listen(server, port);
      port = portOf(server);
    },
    async down() {
      if (!server.listening) return;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
    port: () => port,
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
