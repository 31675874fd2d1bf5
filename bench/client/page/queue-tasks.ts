import { bench, have, note, rateAtOnce, rateInTurn, type Task, timed, workerOf } from './bench';

/** What is measured of a library that has Workbox's queue, in a worker. */
export function queueTasks(script: string): Record<string, Task> {
  const order = (options: URLSearchParams) => ({
    count: Number(options.get('count')),
    width: options.get('sync') === 'stubbed' ? -1 : 1,
  });
  return {
    async enqueueInTurn(options) {
      const worker = await workerOf(script);
      return { rate: await have<number>(worker, { do: 'enqueueInTurn', ...order(options) }) };
    },
    async enqueueAtOnce(options) {
      const worker = await workerOf(script);
      return { rate: await have<number>(worker, { do: 'enqueueAtOnce', ...order(options) }) };
    },
    async drain(options) {
      const worker = await workerOf(script);
      const { count } = order(options);
      await have(worker, { do: 'fill', count });
      const tookMs = await timed(() => Promise.all([bench.answered(count), have(worker, { do: 'replay' })]));
      return { rate: (count / tookMs) * 1000 };
    },
    async capture(options) {
      await workerOf(script);
      await bench.serverDown();
      const { count } = order(options);
      const rate = await rateAtOnce(count / 50, 50, (number) => fetch(...note(number)).catch(() => undefined));
      return { rate };
    },
    async gets(options) {
      await workerOf(script);
      return { ms: 1000 / (await rateInTurn(order(options).count, async () => (await fetch('/static.txt')).text())) };
    },
    async posts(options) {
      await workerOf(script);
      const each = async (number: number) => (await fetch(...note(number))).text();
      return { ms: 1000 / (await rateInTurn(order(options).count, each)) };
    },
    async photo() {
      const worker = await workerOf(script);
      const photo = new Blob([new Uint8Array(5_000_000).fill(7)], { type: 'image/jpeg' });
      await bench.serverDown();
      const keptMs = await timed(() => fetch('/api/photos', { method: 'POST', body: photo }).catch(() => undefined));
      await bench.serverUp();
      const sentMs = await timed(() => Promise.all([bench.answered(1), have(worker, { do: 'replayCaught' })]));
      return { ms: keptMs + sentMs };
    },
  };
}
