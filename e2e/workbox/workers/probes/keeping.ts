import { contents, describeRequest, freshName, lab, registered, type Probe } from '../lab';
import { Queue, QueueStore, StorableRequest } from '../subject';

const form = () => {
  const data = new FormData();
  data.append('text', 'a');
  data.append('file', new File([new Uint8Array(50)], 'f.bin'));
  return data;
};

const days = 86_400_000;

export const keeping: Record<string, Probe> = {
  // First, while the database is new: it is about the id 0.
  'unshifting twice': async () => {
    const { request } = lab();
    const queue = new Queue(freshName());
    await queue.pushRequest({ request: request('/c') });
    await queue.unshiftRequest({ request: request('/b') });
    await queue.unshiftRequest({ request: request('/a') });
    const seen = await contents(queue);
    // Away from the id 0, so that it is not the only thing the other probes see.
    for (let n = 0; n < 60; n += 1) await queue.pushRequest({ request: request('/') });
    while (await queue.shiftRequest());
    return seen;
  },
  'push, unshift, pop, shift': async () => {
    const { request } = lab();
    const queue = new Queue(freshName());
    for (const path of ['/2', '/3', '/4']) await queue.pushRequest({ request: request(path) });
    await queue.unshiftRequest({ request: request('/1') });
    const all = await contents(queue);
    const path = (entry?: { request: Request }) => entry && new URL(entry.request.url).pathname;
    const taken = [path(await queue.popRequest()), path(await queue.shiftRequest())];
    return [all, taken as string[], await contents(queue), await queue.size(), await empty()];
    async function empty() {
      const none = new Queue(freshName());
      return [(await none.popRequest()) === undefined, (await none.shiftRequest()) === undefined, await none.size()];
    }
  },
  'the shape of an entry': async () => {
    const { request } = lab();
    const queue = new Queue(freshName());
    const before = Date.now();
    await queue.pushRequest({ request: request('/1') });
    await queue.pushRequest({ request: request('/2'), timestamp: before - 5, metadata: { a: [1] } });
    const [one, two] = await queue.getAll();
    const shifted = await queue.shiftRequest();
    const now = Date.now();
    return [
      Object.keys(one!),
      one!.timestamp! >= before && one!.timestamp! <= now,
      Object.keys(two!),
      two!.timestamp === before - 5,
      two!.metadata as never,
      Object.keys(shifted!),
      shifted!.request instanceof Request,
    ];
  },
  'metadata of any kind': async () => {
    const { request } = lab();
    const queue = new Queue(freshName());
    const metadata = { when: new Date(5), map: new Map([['a', 1]]), bytes: new Uint8Array([1, 2]) };
    await queue.pushRequest({ request: request('/1'), metadata });
    const { metadata: got } = (await queue.shiftRequest()) as { metadata: typeof metadata };
    return [got.when.getTime(), got.map.get('a')!, [...got.bytes]];
  },
  'a request as it was': async () => {
    const { request } = lab();
    const queue = new Queue(freshName());
    const requests = [
      request('/json', { body: '{"a":1}', headers: { 'content-type': 'application/json', 'x-own': 'a, b' } }),
      request('/form', { body: form() }),
      request('/bytes', { method: 'PUT', body: new Uint8Array([0, 255, 13, 10]) }),
      request('/get?a=1', { method: 'GET', body: null }),
      request('/delete', { method: 'DELETE', body: null }),
      request('/no-cors', { mode: 'no-cors', body: 'a=1' }),
      request('/picky', {
        credentials: 'include',
        cache: 'no-store',
        redirect: 'error',
        integrity: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
        referrerPolicy: 'no-referrer',
      }),
    ];
    for (const each of requests) await queue.pushRequest({ request: each });
    const all = await queue.getAll();
    return Promise.all(all.map((entry) => describeRequest(entry.request)));
  },
  keepalive: async () => {
    const { request } = lab();
    const queue = new Queue(freshName());
    await queue.pushRequest({ request: request('/1', { keepalive: true }) });
    return (await queue.shiftRequest())!.request.keepalive;
  },
  'a request that is used up right after the call': async () => {
    const { request } = lab();
    const queue = new Queue(freshName());
    const given = request('/1', { body: 'whole' });
    const pushed = queue.pushRequest({ request: given });
    await given.text();
    await pushed;
    return (await queue.shiftRequest())!.request.text();
  },
  'a HEAD request': async () => {
    const { request } = lab();
    const queue = new Queue(freshName());
    await queue.pushRequest({ request: request('/head', { method: 'HEAD', body: null }) });
    await queue.pushRequest({ request: request('/next') });
    return contents(queue).catch((error: unknown) => `all are lost to: ${(error as Error).name}`);
  },
  'retention in minutes, seven days by default and for 0': async () => {
    const { request } = lab();
    const ages = [7 * days - 60_000, 7 * days + 60_000];
    const left = async (options: object) => {
      const queue = new Queue(freshName(), options);
      for (const age of ages) await queue.pushRequest({ request: request(`/${age}`), timestamp: Date.now() - age });
      return (await queue.getAll()).length;
    };
    const minutes = new Queue(freshName(), { maxRetentionTime: 2 });
    for (const age of [60_000, 180_000]) {
      await minutes.pushRequest({ request: request(`/${age}`), timestamp: Date.now() - age });
    }
    return [await left({}), await left({ maxRetentionTime: 0 }), await contents(minutes)];
  },
  'what has expired': async () => {
    const { request } = lab();
    const queue = new Queue(freshName(), { maxRetentionTime: 1 });
    await queue.pushRequest({ request: request('/old'), timestamp: Date.now() - 120_000 });
    await queue.pushRequest({ request: request('/new') });
    const seen = await contents(queue);
    while ((await queue.size()) > 1) await contents(queue);
    return { seen, after: await contents(queue) };
  },
  'shift and pop pass over the expired': async () => {
    const { request } = lab();
    const queue = new Queue(freshName(), { maxRetentionTime: 1 });
    const old = Date.now() - 120_000;
    for (const path of ['/old-1', '/new', '/old-2']) {
      await queue.pushRequest({ request: request(path), ...(path === '/new' ? {} : { timestamp: old }) });
    }
    const popped = await queue.popRequest();
    return [new URL(popped!.request.url).pathname, (await queue.shiftRequest()) === undefined, await queue.size()];
  },
  'pushing asks for a sync, with the queue’s tag': async () => {
    const { request } = lab();
    const name = freshName();
    const queue = new Queue(name);
    const tags = await registered(async () => {
      await queue.pushRequest({ request: request('/1') });
      await queue.unshiftRequest({ request: request('/0') });
    });
    return tags.map((tag) => tag === `workbox-background-sync:${name}`);
  },
  'a browser that refuses the registration': async () => {
    const { request } = lab();
    const queue = new Queue(freshName());
    await registered(() => queue.pushRequest({ request: request('/1') }), true);
    return contents(queue);
  },
  'the store of a queue': async () => {
    const { origin } = lab();
    const store = new QueueStore(freshName());
    const entry = (path: string) => ({
      requestData: { url: origin + path, method: 'POST', headers: { a: 'b' }, body: new ArrayBuffer(2) },
      timestamp: 5,
      id: 77,
    });
    const pushed = entry('/2');
    await store.pushEntry(pushed);
    await store.pushEntry({ ...entry('/3'), metadata: { a: 1 } });
    await store.unshiftEntry(entry('/1'));
    const all = await store.getAll();
    const ids = all.map(({ id }) => id);
    const deleted = async () => {
      await store.deleteEntry(ids[1]!);
      return store.size();
    };
    return {
      mutated: Object.keys(pushed).sort(),
      shapes: all.map((one) => Object.keys(one).sort()),
      paths: all.map(({ requestData }) => new URL(requestData.url).pathname),
      body: all[0]!.requestData.body?.byteLength ?? null,
      headers: all[0]!.requestData.headers as never,
      idsGrow: ids[0]! < ids[1]! && ids[1]! < ids[2]!,
      deleted: await deleted(),
      popped: (await store.popEntry())!.metadata as never,
      shifted: new URL((await store.shiftEntry())!.requestData.url).pathname,
      left: [await store.size(), (await store.popEntry()) === undefined],
    };
  },
  'a storable request': async () => {
    const { request } = lab();
    const given = request('/1', { headers: { 'content-type': 'text/plain' } });
    const storable = await StorableRequest.fromRequest(given);
    const plain = storable.toObject();
    const other = storable.clone();
    (plain.headers as Record<string, string>)['changed'] = 'yes';
    new Uint8Array(plain.body!)[0] = 0;
    const get = (await StorableRequest.fromRequest(request('/g', { method: 'GET', body: null }))).toObject();
    const navigation = new StorableRequest({ url: given.url, headers: {}, mode: 'navigate', redirect: 'manual' });
    return {
      unused: given.bodyUsed,
      keys: Object.keys(plain).sort(),
      copy: await describeRequest(other.toRequest()),
      again: await describeRequest(storable.toRequest()),
      get: Object.keys(get).sort(),
      navigation: navigation.toRequest().mode,
    };
  },
};
