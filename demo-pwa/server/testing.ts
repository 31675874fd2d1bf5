import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaultMode, Faults, LedgerLine, Note } from '../wire';
import { app } from './app';
import { openDatabase } from './database';
import { listen, listener } from './listen';

/** The real server on a free port, with a database of its own. */
export interface Rig {
  readonly url: string;
  /** A write under a key; `path` begins with `/`. */
  send(
    method: string,
    path: string,
    key: string | null,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Response>;
  faults(mode: FaultMode, more?: Partial<Faults>): Promise<Response>;
  ledger(): Promise<LedgerLine[]>;
  notes(): Promise<Note[]>;
  close(): Promise<void>;
}

export async function rig(): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-demo-'));
  const db = openDatabase(folder);
  const listening = await listen(listener(app({ db, shell: folder })), { port: 0 });
  const client = clientOf(`http://localhost:${listening.port}`);
  return {
    ...client,
    async close() {
      await listening.close();
      db.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** What tests ask of a running demo. */
export function clientOf(url: string): Omit<Rig, 'close'> {
  const read = async <T>(path: string): Promise<T> => (await (await fetch(url + path)).json()) as T;
  return {
    url,
    send: (method, path, key, body, headers = {}) =>
      fetch(url + path, {
        method,
        redirect: 'manual',
        headers: {
          ...(key !== null && { 'idempotency-key': `"${key}"` }),
          ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
      }),
    faults: (mode, more = {}) => fetch(`${url}/__faults`, { method: 'PUT', body: JSON.stringify({ mode, ...more }) }),
    ledger: () => read('/__ledger'),
    notes: () => read('/api/notes'),
  };
}

export const draft = { siteId: 'north-lock', text: 'Seal is worn', rating: 3, createdAt: 1_700_000_000_000 };

export function photoForm(bytes: Uint8Array<ArrayBuffer>, type = 'image/jpeg'): FormData {
  const form = new FormData();
  form.append('photo', new File([bytes], 'gate.jpg', { type }));
  return form;
}
