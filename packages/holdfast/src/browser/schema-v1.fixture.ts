/**
 * A database of schema version 1 as it lies on people's disks: literal data, not made by our code, so that no change of the
 * code can change it. Every later version must read all of it. Never edit this; add a fixture for each new schema.
 */
export function buildSchemaV1(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const open = indexedDB.open(`holdfast:${name}`, 1);
    open.onupgradeneeded = () => {
      const entries = open.result.createObjectStore('entries', { keyPath: 'seq' });
      entries.createIndex('id', 'id', { unique: true });
      entries.createIndex('key', 'key', { unique: true });
      for (const index of ['ready', 'queue', 'shelf', 'done', 'expires', 'replaceable'])
        entries.createIndex(index, `k.${index}`);
      open.result.createObjectStore('bodies');
      open.result.createObjectStore('control');
    };
    open.onerror = () => reject(open.error!);
    open.onsuccess = () => {
      const tx = open.result.transaction(['entries', 'bodies', 'control'], 'readwrite');
      for (const row of rows) tx.objectStore('entries').put(row);
      tx.objectStore('bodies').put(new Uint8Array([72, 79, 76, 68]), [2, 0]);
      tx.objectStore('bodies').put(new Uint8Array([70, 65, 83, 84]), [2, 1]);
      tx.objectStore('control').put(
        { createdAt: 1_770_000_000_000, schema: 1, device: 'V1StGXR8_Z5jdHi6B-myT' },
        'sentinel',
      );
      tx.onabort = () => reject(tx.error!);
      tx.oncomplete = () => {
        open.result.close();
        resolve();
      };
    };
  });
}

const request = {
  method: 'POST',
  url: 'https://shop.example/api/orders',
  headers: [['content-type', 'application/json']],
  mode: 'cors',
  credentials: 'same-origin',
  cache: 'default',
  redirect: 'follow',
  referrer: 'https://shop.example/cart',
  referrerPolicy: '',
  integrity: '',
};
const bucket = '\nhttps://shop.example\norders\n3';

const rows = [
  {
    v: 1,
    seq: 1,
    revision: 1,
    id: 'AAAAAAAAAAAAAAAAAAAA1',
    key: 'BBBBBBBBBBBBBBBBBBBB1',
    route: 'orders',
    lane: 'orders',
    subject: '',
    priority: 3,
    state: 'pending',
    head: true,
    dueAt: 1_770_000_000_500,
    createdAt: 1_770_000_000_000,
    request,
    body: { size: 13, type: 'application/json', kind: 'inline', bytes: new TextEncoder().encode('{"order":"1"}') },
    attempts: 0,
    spent: {},
    tries: 0,
    outcome: 'never-sent',
    history: [],
    replays: 0,
    answered: true,
    k: {
      shelf: ['', 'pending', 1],
      ready: [bucket, 1_770_000_000_500, 1],
      queue: ['\norders', 1],
    },
  },
  {
    v: 1,
    seq: 2,
    revision: 4,
    id: 'AAAAAAAAAAAAAAAAAAAA2',
    key: 'BBBBBBBBBBBBBBBBBBBB2',
    route: 'photos',
    lane: null,
    subject: 'ann',
    priority: 5,
    state: 'sending',
    head: true,
    dueAt: 1_770_000_001_000,
    createdAt: 1_770_000_000_100,
    request: { ...request, method: 'PUT', url: 'https://shop.example/api/photos/2' },
    body: { size: 8, type: 'image/png', kind: 'apart' },
    attempts: 1,
    spent: { server: 1 },
    tries: 2,
    outcome: 'unknown',
    firstUnknownAt: 1_770_000_000_900,
    history: [
      {
        class: 'server',
        status: 503,
        message: '503 Service Unavailable',
        at: 1_770_000_000_800,
        tookMs: 40,
        counted: true,
      },
    ],
    lease: { owner: 'worker-1', token: 7, until: 1_770_000_060_000 },
    replays: 0,
    answered: true,
    aFieldOfTheFuture: { kept: ['as', 'it', 'is'] },
    k: {
      shelf: ['ann', 'sending', 2],
      ready: ['ann\nhttps://shop.example\nphotos\n5', 1_770_000_060_000, 2],
    },
  },
  {
    v: 1,
    seq: 3,
    revision: 3,
    id: 'AAAAAAAAAAAAAAAAAAAA3',
    key: 'BBBBBBBBBBBBBBBBBBBB3',
    route: 'orders',
    lane: 'orders',
    subject: '',
    priority: 3,
    state: 'dead',
    head: false,
    dueAt: 1_770_000_000_700,
    createdAt: 1_770_000_000_200,
    request,
    body: { size: 0, type: '', kind: 'none' },
    attempts: 1,
    spent: {},
    tries: 1,
    outcome: 'answered',
    history: [],
    finishedAt: 1_770_000_002_000,
    dead: { reason: 'rejected', message: '422', at: 1_770_000_002_000, triage: 'open' },
    replays: 0,
    answered: true,
    k: { shelf: ['', 'dead', 3] },
  },
  /** Somebody wrote nonsense over a row; its place in the indexes is still that of a waiting one. */
  {
    seq: 4,
    id: 'AAAAAAAAAAAAAAAAAAAA4',
    key: 'BBBBBBBBBBBBBBBBBBBB4',
    subject: '',
    request: 'POST /api/orders',
    note: 'what is left of it',
    k: { shelf: ['', 'pending', 4], ready: [bucket, 1_770_000_000_600, 4] },
  },
  /** And one that no index finds. */
  { seq: 5, lost: true },
];
