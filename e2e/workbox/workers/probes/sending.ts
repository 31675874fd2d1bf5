import type { Seen } from '../../seen';
import {
  contents,
  describeRequest,
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
import { Queue } from '../subject';

declare const self: ServiceWorkerGlobalScope;

async function filled(paths: readonly string[], options = {}) {
  const there = lab();
  const name = freshName();
  const queue = new Queue(name, options);
  await registered(async () => {
    for (const path of paths) await queue.pushRequest({ request: there.request(path) });
  });
  return { ...there, name, queue };
}

/** How many requests are under way at most while `work` runs. */
function crowd(answers: (answer: () => Promise<Response>) => void) {
  let now = 0;
  let most = 0;
  answers(async () => {
    most = Math.max(most, (now += 1));
    await new Promise((resolve) => setTimeout(resolve, 10));
    now -= 1;
    return new Response('ok');
  });
  return () => most;
}

/** @param options `compat` is ours; Workbox does not know it and does as it does */
const answering =
  (code: number, options: object = {}): Probe =>
  async () => {
    const { queue, answers, paths } = await filled(['/1', '/2'], options);
    answers((request) => (request.url.endsWith('/1') ? status(code)() : new Response('ok')));
    const ended = await outcome(() => queue.replayRequests());
    return { ended, sent: paths(), left: await contents(queue) };
  };

export const sending: Record<string, Probe> = {
  'a replay, in order, by the worker’s own fetch': async () => {
    const { queue, sent, paths } = await filled(['/1', '/2', '/3']);
    const ended = await outcome(() => queue.replayRequests());
    const first = sent[0]!.request;
    return { ended, sent: paths(), left: await queue.size(), request: await describeRequest(first) };
  },
  'a replay of an empty queue': async () => {
    const { queue } = await filled([]);
    return outcome(() => queue.replayRequests());
  },
  'a replay without a network': async () => {
    const { queue, answers, paths, name } = await filled(['/1', '/2', '/3']);
    answers((request) => (request.url.endsWith('/2') ? offline() : new Response('ok')));
    const error = (await queue.replayRequests().catch((why: unknown) => why)) as Error & { details: { name: string } };
    const { details } = error;
    return {
      error: error.name,
      details: [Object.keys(details), details.name === name] as Seen,
      sent: paths(),
      left: await contents(queue),
    };
  },
  'an answer of 500': answering(500),
  'an answer of 503': answering(503),
  'an answer of 408': answering(408),
  'an answer of 429': answering(429),
  'an answer of 404': answering(404),
  'an answer of 401': answering(401),
  'an answer of 422': answering(422),
  'an answer of 500, with compat: exact': answering(500, { compat: 'exact' }),
  'an answer of 429, with compat: exact': answering(429, { compat: 'exact' }),
  'the key of a request, on each try': async () => {
    const { queue, answers, sent } = await filled([`${self.location.origin}/1`]);
    answers(offline);
    await outcome(() => queue.replayRequests());
    answers(status(200));
    await outcome(() => queue.replayRequests());
    const keys = sent.map(({ request }) => request.headers.get('idempotency-key'));
    return { tries: keys.length, has: keys[0] !== null, same: new Set(keys).size === 1 };
  },
  'two replays at once': async () => {
    const { queue, answers } = await filled(['/1', '/2', '/3', '/4']);
    const most = crowd(answers);
    const ended = await Promise.all([1, 2].map(() => outcome(() => queue.replayRequests())));
    return { ended, left: await queue.size(), oneAtATime: most() === 1 };
  },
  'a sync event': async () => {
    const { name, queue, paths } = await filled(['/1', '/2']);
    const ended = await sync(tagOf(name));
    return { ended: ended ?? null, sent: paths(), left: await queue.size() };
  },
  'a sync event without a network': async () => {
    const { name, queue, answers } = await filled(['/1', '/2']);
    answers(offline);
    const tags = await registered(async () => {
      await sync(tagOf(name));
    });
    return { tags: tags.length, left: await contents(queue) };
  },
  'the app’s onSync': async () => {
    const calls: Seen[] = [];
    const made: Queue[] = [];
    const there = await filled([], {
      onSync: async (options: { queue: Queue }) => {
        calls.push([Object.keys(options), options.queue === made[0]]);
      },
    });
    made.push(there.queue);
    const waiting = sync(tagOf(there.name));
    const inTheSameTick = calls.length;
    return { ended: (await waiting) ?? null, calls, inTheSameTick };
  },
  'an onSync that fails': async () => {
    const { name } = await filled([], { onSync: () => Promise.reject(new RangeError('mine')) });
    return (await sync(tagOf(name))) ?? null;
  },
  'an onSync that fails with something that is no Error': async () => {
    const { name } = await filled([], { onSync: () => Promise.reject('a word') });
    return (await sync(tagOf(name))) ?? null;
  },
  'registering again after something was added during a sync': async () => {
    const times = async (fails: boolean, lastChance: boolean, adds = true) => {
      const { name, request } = await filled([], {
        onSync: async ({ queue }: { queue: Queue }) => {
          if (adds) await queue.pushRequest({ request: request('/more') });
          if (fails) throw new Error('no');
        },
      });
      const tags = await registered(async () => {
        await sync(tagOf(name), lastChance);
      });
      return tags.length;
    };
    return {
      added: await times(false, false),
      'added, then failed': await times(true, false),
      'added, then failed for the last time': await times(true, true),
      'nothing added': await times(false, false, false),
      'failed for the last time, nothing added': await times(true, true, false),
    };
  },
  'the loop of Workbox’s documentation': async () => {
    const there = await filled(['/1', '/2', '/3'], {
      onSync: async ({ queue }: { queue: Queue }) => {
        let entry;
        while ((entry = await queue.shiftRequest())) {
          try {
            await fetch(entry.request.clone());
          } catch (error) {
            await queue.unshiftRequest(entry);
            throw error;
          }
        }
      },
    });
    let down = true;
    there.answers((request) => (down && request.url.endsWith('/2') ? offline() : new Response('ok')));
    const first = (await sync(tagOf(there.name))) ?? null;
    const left = await contents(there.queue);
    down = false;
    const second = (await sync(tagOf(there.name))) ?? null;
    return { first, left, second, sent: there.paths(), after: await there.queue.size() };
  },
  'a replay by the app’s own onSync': async () => {
    const done: string[] = [];
    const { name, paths } = await filled(['/1', '/2'], {
      onSync: async ({ queue }: { queue: Queue }) => {
        await queue.replayRequests();
        done.push('replayed');
      },
    });
    const ended = (await sync(tagOf(name))) ?? null;
    return { ended, done, sent: paths() };
  },
  'a request that is put back changed': async () => {
    const { name, queue } = await filled(['/1', '/2'], {
      onSync: async ({ queue: own }: { queue: Queue }) => {
        const entry = await own.shiftRequest();
        const request = new Request(entry!.request, { headers: { 'x-try': '2' } });
        await own.unshiftRequest({ request, metadata: { tries: 1 }, timestamp: 1_000 + Date.now() });
        throw new Error('later');
      },
    });
    await sync(tagOf(name));
    const [first, second] = await queue.getAll();
    return {
      first: [new URL(first!.request.url).pathname, first!.request.headers.get('x-try'), first!.metadata as never],
      second: new URL(second!.request.url).pathname,
    };
  },
  'two that are put back after both failed': async () => {
    const { name, queue } = await filled(['/1', '/2', '/3'], {
      onSync: async ({ queue: own }: { queue: Queue }) => {
        const [one, two] = [await own.shiftRequest(), await own.shiftRequest()];
        await own.unshiftRequest(one!);
        await own.unshiftRequest(two!);
        throw new Error('later');
      },
    });
    await sync(tagOf(name));
    return contents(queue);
  },
};
