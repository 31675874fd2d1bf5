import { initialize } from 'workbox-google-analytics';
import type { WorkboxPlugin } from 'workbox-core/types.js';
import { NetworkOnly } from 'workbox-strategies';
import { NetworkOnly as SerwistNetworkOnly, type SerwistPlugin } from 'serwist';
import {
  contents,
  extendable,
  freshName,
  lab,
  offline,
  outcome,
  registered,
  status,
  sync,
  tagOf,
  type Probe,
} from '../lab';
import { BackgroundSyncPlugin, type Queue } from '../subject';

declare const self: ServiceWorkerGlobalScope;

const queueOf = (plugin: BackgroundSyncPlugin) => (plugin as unknown as { _queue: Queue })._queue;

/** A fetch event as a page causes it. @returns what the page gets */
async function pageFetches(request: Request): Promise<unknown> {
  const event = new FetchEvent('fetch', { request });
  const waits: Promise<unknown>[] = [];
  let answer: Promise<Response> | undefined;
  Object.defineProperty(event, 'waitUntil', { value: (promise: Promise<unknown>) => void waits.push(promise) });
  Object.defineProperty(event, 'respondWith', { value: (promise: Promise<Response>) => void (answer = promise) });
  self.dispatchEvent(event);
  const seen = await outcome(() => answer?.then(({ status: code }) => code));
  await Promise.allSettled(waits);
  return seen;
}

export const beside: Record<string, Probe> = {
  'a strategy of Workbox': async () => {
    const { request, answers } = lab();
    const plugin = new BackgroundSyncPlugin(freshName());
    answers(offline);
    const { event, over } = extendable();
    const strategy = new NetworkOnly({ plugins: [plugin as WorkboxPlugin] });
    const tags = await registered(async () => {
      await outcome(() => strategy.handle({ event, request: request('/1') }));
      await over();
    });
    return { tags: tags.length, left: await contents(queueOf(plugin)) };
  },
  'a strategy of Workbox, answered with 503': async () => {
    const { request, answers } = lab();
    const plugin = new BackgroundSyncPlugin(freshName());
    answers(status(503));
    const { event, over } = extendable();
    const strategy = new NetworkOnly({ plugins: [plugin as WorkboxPlugin] });
    const response = await strategy.handle({ event, request: request('/1') });
    await over();
    return { page: response.status, left: await contents(queueOf(plugin)) };
  },
  'a strategy that takes 503 for a failure': async () => {
    const { request, answers } = lab();
    const plugin = new BackgroundSyncPlugin(freshName());
    answers(status(503));
    const { event, over } = extendable();
    const strict: WorkboxPlugin = {
      fetchDidSucceed: async ({ response }) => {
        if (response.status >= 500) throw new Error('try later');
        return response;
      },
    };
    const strategy = new NetworkOnly({ plugins: [strict, plugin as WorkboxPlugin] });
    await outcome(() => strategy.handle({ event, request: request('/1') }));
    await over();
    return contents(queueOf(plugin));
  },
  'a strategy of Serwist': async () => {
    const { request, answers, paths } = lab();
    const name = freshName();
    const plugin = new BackgroundSyncPlugin(name);
    answers(offline);
    const { event, over } = extendable();
    const strategy = new SerwistNetworkOnly({ plugins: [plugin as unknown as SerwistPlugin] });
    await outcome(() => strategy.handle({ event, request: request('/1') }));
    await over();
    const left = await contents(queueOf(plugin));
    answers(status(200));
    const ended = (await sync(tagOf(name))) ?? null;
    return { left, ended, sent: paths() };
  },
  'Google Analytics offline': async () => {
    const { answers } = lab();
    const hits: string[] = [];
    // What other probes left behind comes by at any time, and is none of the hits.
    const analytics = (work: (request: Request) => Promise<Response> | Response) => {
      self.fetch = async (input) => {
        const request = input as Request;
        return new URL(request.url).host === 'www.google-analytics.com' ? work(request) : new Response('ok');
      };
    };
    initialize({ parameterOverrides: { cd1: 'replayed' } });
    analytics(offline);
    const hit = new Request('https://www.google-analytics.com/collect?v=1&t=pageview&qt=5', { method: 'GET' });
    const page = await registered(async () => void (await pageFetches(hit)));
    const tag = tagOf('workbox-google-analytics');
    const first = (await sync(tag)) ?? null;
    analytics(async (request) => {
      const params = new URLSearchParams(await request.text());
      hits.push(
        `${request.method} ${request.url} ${params.get('v')} ${params.get('cd1')} ${Number(params.get('qt')) >= 5}`,
      );
      return new Response('ok');
    });
    const second = (await sync(tag)) ?? null;
    const third = (await sync(tag)) ?? null;
    answers(status(200));
    return { tag: page.includes(tag), first, second, third, hits };
  },
};
