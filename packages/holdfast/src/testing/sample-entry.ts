import type { Entry } from '../core/entry';

/** A pending entry as a page would have made it; `changes` replaces what a test is about. */
export function sampleEntry(seq: number, changes: Partial<Entry> = {}): Entry {
  return {
    v: 1,
    seq,
    revision: 1,
    id: `entry-${seq}`,
    key: `key-${seq}`,
    route: 'orders',
    lane: 'orders',
    subject: 'ann',
    priority: 3,
    state: 'pending',
    head: true,
    dueAt: 1_000 * seq,
    createdAt: 1_000,
    request: {
      method: 'POST',
      url: 'https://api.example/orders',
      headers: [['content-type', 'application/json']],
      mode: 'cors',
      credentials: 'same-origin',
      cache: 'default',
      redirect: 'follow',
      referrer: '',
      referrerPolicy: '',
      integrity: '',
    },
    body: { size: 2, type: 'application/json', kind: 'inline', bytes: new Uint8Array([123, 125]) },
    attempts: 0,
    spent: {},
    tries: 0,
    outcome: 'never-sent',
    history: [],
    replays: 0,
    ...changes,
  };
}
