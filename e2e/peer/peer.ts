import type { IncomingMessage, ServerResponse } from 'node:http';
import { recordRequest, type RequestRecord } from './request-record.ts';

/**
 * The other end of the wire for tests against a real network: it answers with what it received, or behaves badly in
 * the way the query asks for.
 *
 * | query | |
 * | --- | --- |
 * | `status=503` | answers with that status; `status=500,500,200` with one after the other in a run, then with the last |
 * | `header=Retry-After:3` | adds an answer header; may be repeated |
 * | `delayMs=200` | waits before answering |
 * | `cors=1` | allows the asking origin, with credentials, any header and any method, preflight included |
 * | `mode=reset-before` | resets the connection before the request counts as received |
 * | `mode=reset-after` | takes the request, then resets instead of answering |
 * | `mode=hang` | takes the request and never answers |
 * | `mode=truncate` | announces more bytes than it sends, then resets |
 * | `mode=drip` | sends the beginning of its answer, and the rest when `GET /__echo/release?run=ID` comes |
 * | `mode=captive` | a 200 HTML page, as the portal of a hotel |
 * | `mode=reset-midway` | resets the connection while the body is still coming, before the request counts as received |
 * | `mode=versioned` | a document: a write whose `If-Match` is not its `ETag` (at first `"1"`) is refused with 412, any other changes it |
 * | `mode=reset-after,ok` | one mode after the other in a run, then the last |
 * | `run=ID` | remembers the request; `GET /__echo/ledger?run=ID` lists them in order |
 */
export type Peer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export const peerPath = '/__echo';

type Mode =
  | 'ok'
  | 'reset-before'
  | 'reset-midway'
  | 'reset-after'
  | 'hang'
  | 'truncate'
  | 'drip'
  | 'captive'
  | 'versioned';

const portal = '<!doctype html><title>Welcome</title><p>Please accept the terms to use this network.</p>';

function allowOrigin(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '*');
  response.setHeader('Access-Control-Allow-Credentials', 'true');
  response.setHeader('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '');
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
  response.setHeader('Access-Control-Expose-Headers', '*');
  response.setHeader('Vary', 'Origin');
}

function addHeaders(response: ServerResponse, lines: readonly string[]): void {
  for (const line of lines) {
    const colon = line.indexOf(':');
    response.appendHeader(line.slice(0, colon), line.slice(colon + 1).trim());
  }
}

const reset = (request: IncomingMessage) => void request.socket.resetAndDestroy();

/** A status that HTTP forbids a body for. */
const isBodiless = (status: number) => status === 204 || status === 205 || status === 304;

/** @param nth how often this run has asked, 1 or more */
function inTurn(list: string, nth: number): string {
  const steps = list.split(',');
  return steps[Math.min(nth, steps.length) - 1] as string;
}

function answer(query: URLSearchParams, response: ServerResponse, seen: RequestRecord, mode: Mode, nth: number): void {
  const text = mode === 'captive' ? portal : JSON.stringify(seen);
  if (response.statusCode === 200) response.statusCode = Number(inTurn(query.get('status') ?? '200', nth));
  if (!isBodiless(response.statusCode))
    response.setHeader('Content-Type', mode === 'captive' ? 'text/html; charset=utf-8' : 'application/json');
  response.setHeader('Cache-Control', 'no-store');
  addHeaders(response, query.getAll('header'));
  response.end(isBodiless(response.statusCode) ? undefined : text);
}

/** A peer with a ledger of its own. It answers everything under `/__echo`. */
export function createPeer(): Peer {
  const ledgers = new Map<string, RequestRecord[]>();
  const releases = new Map<string, () => void>();
  const asked = new Map<string, number>();
  const versions = new Map<string, number>();

  /** A write of the document of this run. */
  function write(run: string, { headers }: IncomingMessage, response: ServerResponse): void {
    const version = versions.get(run) ?? 1;
    const fits = headers['if-match'] === undefined || headers['if-match'] === `"${version}"`;
    versions.set(run, fits ? version + 1 : version);
    response.statusCode = fits ? 200 : 412;
    response.setHeader('ETag', `"${versions.get(run)}"`);
  }

  return async (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://peer.invalid');
    const run = query.get('run') ?? '';

    if (query.get('cors') === '1') allowOrigin(request, response);
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    if (pathname === `${peerPath}/ledger`) {
      response.setHeader('Content-Type', 'application/json').setHeader('Cache-Control', 'no-store');
      return void response.end(JSON.stringify(ledgers.get(run) ?? []));
    }
    if (pathname === `${peerPath}/release`) {
      releases.get(run)?.();
      return void response.writeHead(204).end();
    }
    const times = (asked.get(run) ?? 0) + 1;
    asked.set(run, times);
    const mode = inTurn(query.get('mode') ?? 'ok', times) as Mode;
    if (mode === 'reset-before') return reset(request);
    if (mode === 'reset-midway') return void request.once('data', () => reset(request));

    const seen = await recordRequest(request);
    if (run !== '') ledgers.set(run, [...(ledgers.get(run) ?? []), seen]);
    if (mode === 'reset-after') return reset(request);
    if (mode === 'hang') return;
    if (mode === 'truncate') {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 1000 });
      return void response.write('{"cut":', () => reset(request));
    }
    if (mode === 'drip') {
      response.writeHead(200, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' });
      // Some engines hand nothing on before they have seen this much.
      response.write('.'.repeat(2048));
      releases.set(run, () => response.end('the rest'));
      return;
    }
    if (mode === 'versioned') write(run, request, response);
    const delayMs = Number(query.get('delayMs') ?? 0);
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    answer(query, response, seen, mode, ledgers.get(run)?.length ?? 1);
  };
}
