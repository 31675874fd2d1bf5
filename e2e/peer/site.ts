import type { RequestListener } from 'node:http';
import { sendFile } from './files.ts';
import { onePort, type OnePort } from './one-port.ts';
import { createPeer, peerPath } from './peer.ts';
import type { RequestRecord } from './request-record.ts';

/** A small site on one port for good: files from memory, and an API (`/__echo/…`) that remembers what arrived. */
export interface Site extends OnePort {
  /** What is served; change it, and the next visit gets the new release. */
  readonly files: Map<string, string>;
  /** What the API received in this run, in order. */
  arrived(run: string): Promise<readonly RequestRecord[]>;
  /** While silent, the API takes what comes and never answers. */
  silence(silent: boolean): void;
}

const page = '<!doctype html><meta charset="utf-8"><title>Site</title><link rel="icon" href="data:,">';

/** @param headers sent with every file, such as a policy */
export async function startSite(
  files: Iterable<readonly [path: string, content: string]> = [],
  headers: Readonly<Record<string, string>> = {},
): Promise<Site> {
  const served = new Map<string, string>([['/', page], ...files]);
  const api = createPeer();
  let silent = false;

  const serve: RequestListener = (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site.invalid');
    if (!pathname.startsWith(peerPath)) return sendFile(served, pathname, response, headers);
    if (silent && request.method !== 'GET') request.url = `${request.url ?? ''}&mode=hang`;
    void api(request, response).catch(() => response.destroy());
  };

  const port = await onePort(serve);
  return {
    ...port,
    files: served,
    silence: (now) => void (silent = now),
    arrived: async (run) => (await (await fetch(`${port.url}${peerPath}/ledger?run=${run}`)).json()) as RequestRecord[],
  };
}
