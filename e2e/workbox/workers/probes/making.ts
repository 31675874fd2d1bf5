import {
  lab,
  listeners,
  outcome,
  registered,
  freshName,
  sync,
  tagOf,
  withoutSync,
  type Probe,
  type QueueOptions,
} from '../lab';
import { BackgroundSyncPlugin, Queue, QueueStore, StorableRequest } from '../subject';

export const making: Record<string, Probe> = {
  'a second queue of one name': async () => {
    const name = freshName();
    new Queue(name);
    const details = (work: () => unknown) => {
      try {
        work();
        return null;
      } catch (error) {
        return { name: (error as Error).name, details: { ...(error as { details: { name: string } }).details } };
      }
    };
    const seen = details(() => new Queue(name));
    const plugin = details(() => new BackgroundSyncPlugin(name));
    return { same: seen?.details.name === name && plugin?.details.name === name, seen: seen?.name ?? null };
  },
  'a queue’s name, and the set of names': async () => {
    const name = freshName();
    const queue = new Queue(name);
    const names = (Queue as unknown as { _queueNames: Set<string> })._queueNames;
    const known = names.has(name);
    names.delete(name);
    return [queue.name === name, known, await outcome(() => void new Queue(name))];
  },
  'one listener for sync events a queue': async () => [
    listeners(() => new Queue(freshName())).filter((type) => type === 'sync').length,
    listeners(() => new Queue(freshName(), { forceSyncFallback: true, onSync: () => undefined })).filter(
      (type) => type === 'sync',
    ).length,
  ],
  'onSync at once where sync is not to be used': async () => {
    const calls: unknown[] = [];
    const options: QueueOptions = { forceSyncFallback: true, onSync: ({ queue }) => void calls.push(queue) };
    const queue = new Queue(freshName(), options);
    const atOnce = calls.length;
    const tags = await registered(() => queue.registerSync());
    return { atOnce, same: calls[0] === queue, tags: tags.length };
  },
  'onSync at once where the browser has no sync': async () =>
    withoutSync(async () => {
      const calls: unknown[] = [];
      const queue = new Queue(freshName(), { onSync: (options) => void calls.push(options) });
      return [calls.length, (calls[0] as { queue?: unknown }).queue === queue, Object.keys(calls[0] as object)];
    }),
  'a worker that starts without sync replays what waits': async () => {
    const { request, paths } = lab();
    const name = freshName();
    await registered(() => new Queue(name).pushRequest({ request: request('/1') }));
    (Queue as unknown as { _queueNames: Set<string> })._queueNames.delete(name);
    await withoutSync(async () => {
      const again = new Queue(name);
      while ((await again.size()) > 0 || paths().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    });
    return paths();
  },
  'the plugin: what it has, and what it does when a fetch fails': async () => {
    const { request } = lab();
    const plugin = new BackgroundSyncPlugin(freshName());
    const hooks = ['fetchDidFail', 'fetchDidSucceed', 'requestWillFetch', 'handlerDidError', 'cacheWillUpdate'];
    const has = hooks.filter((hook) => hook in plugin);
    const { _queue: queue } = plugin as unknown as { _queue: Queue };
    const calls: unknown[][] = [];
    queue.pushRequest = async (...args) => void calls.push(args);
    const failed = request('/1');
    const done = plugin.fetchDidFail?.({ request: failed, error: new Error('no'), originalRequest: failed } as never);
    const given = calls[0]?.[0] as { request: Request };
    const inTheSameTick = calls.length;
    await done;
    return { has, inTheSameTick, keys: Object.keys(given), same: given.request === failed, args: calls[0]!.length };
  },
  'what is no entry': async () => {
    const queue = new Queue(freshName());
    const store = new QueueStore(freshName());
    const none = undefined as never;
    return [
      await outcome(() => queue.pushRequest(none)),
      await outcome(() => queue.pushRequest({ request: '/1' } as never)),
      await outcome(() => queue.unshiftRequest({} as never)),
      await outcome(() => store.pushEntry(none)),
      await outcome(() => store.unshiftEntry({ timestamp: 1 } as never)),
      await outcome(() => void new StorableRequest(none)),
      await outcome(() => void new StorableRequest({ headers: {} } as never)),
    ];
  },
  'a sync event of another tag': async () => {
    const name = freshName();
    new Queue(name, { onSync: () => undefined });
    return [sync(tagOf(`${name}-other`)) === undefined, sync(name) === undefined, sync(tagOf(name)) === undefined];
  },
};
