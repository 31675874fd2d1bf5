import {
  BackgroundSyncPlugin,
  configureQueues,
  IdempotencyKeyPlugin,
  Queue,
  type QueueOptions,
} from 'holdfast/workbox';
import { NetworkOnly } from 'workbox-strategies';
import { extendable, freshName, lab, offline, outcome, registered, status, sync, tagOf, type Probe } from '../lab';

declare const self: ServiceWorkerGlobalScope;

const told: string[] = [];
configureQueues({ onDead: ({ method, dead }) => void told.push(`${method} ${dead?.reason}`) });

/** What only the stand-in has; no comparison. */
export const ours: Record<string, Probe> = {
  'the key is on the first attempt, and on every later one': async () => {
    const { request, answers, sent } = lab();
    const name = freshName();
    answers(offline);
    const { event, over } = extendable();
    const strategy = new NetworkOnly({ plugins: [new IdempotencyKeyPlugin(), new BackgroundSyncPlugin(name)] });
    await outcome(() => strategy.handle({ event, request: request(`${self.location.origin}/1`) }));
    await over();
    answers(status(201));
    const ended = (await sync(tagOf(name))) ?? null;
    const keys = sent.map((one) => one.request.headers.get('idempotency-key'));
    return { ended, tries: keys.length, has: keys[0] !== null, same: new Set(keys).size === 1 };
  },
  'the key is not put on what it would preflight, or where there is one': async () => {
    const { request, answers, sent } = lab();
    answers(status(201));
    const strategy = new NetworkOnly({ plugins: [new IdempotencyKeyPlugin()] });
    const own = { headers: { 'idempotency-key': 'mine' } };
    const here = `${self.location.origin}/1`;
    for (const each of [request('/1'), request(here, own), request(here, { method: 'GET', body: null })]) {
      const { event, over } = extendable();
      await strategy.handle({ event, request: each });
      await over();
    }
    return sent.map((one) => one.request.headers.get('idempotency-key'));
  },
  'a queue that several routes share': async () => {
    const name = freshName();
    const first = Queue.get(name);
    return [Queue.get(name) === first, await outcome(() => void new Queue(name))];
  },
  'somebody is told of the dead': async () => {
    const { request, answers } = lab();
    const queue = new Queue(freshName());
    await registered(() => queue.pushRequest({ request: request('/1', { method: 'PATCH' }) }));
    answers(status(422));
    await queue.replayRequests();
    while (told.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    return told;
  },
  'options for all queues come before the first': async () => outcome(() => configureQueues({})),
  'an onSync whose sync the browser refuses is called all the same': async () => {
    const { request } = lab();
    let called = (): void => undefined;
    const over = new Promise<void>((resolve) => (called = resolve));
    const options: QueueOptions = {
      onSync: async ({ queue }) => {
        while (await queue.shiftRequest());
        called();
      },
    };
    const queue = new Queue(freshName(), options);
    await registered(() => queue.pushRequest({ request: request('/1') }), true);
    await over;
    return queue.size();
  },
};
