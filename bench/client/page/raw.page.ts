import { bench, have, note, play, rateInTurn, timed, workerOf } from './bench';
import { openRaw, putAtOnce, putInTurn } from '../raw-idb';

/** The physical limit: what IndexedDB and `fetch` do without any library, in the page and in a worker. */
const count = (options: URLSearchParams): number => Number(options.get('count'));
const durability = (options: URLSearchParams) => options.get('durability') as IDBTransactionDurability;

void play({
  async enqueueInTurn(options) {
    const db = await openRaw();
    return { rate: await putInTurn(db, durability(options), count(options)) };
  },
  async enqueueAtOnce(options) {
    const db = await openRaw();
    return { rate: await putAtOnce(db, durability(options), count(options) / 100, 100) };
  },
  async enqueueInWorker(options) {
    const worker = await workerOf('/raw.worker.js');
    return { rate: await have<number>(worker, { do: 'put', count: count(options), durability: durability(options) }) };
  },
  async drain(options) {
    const worker = await workerOf('/raw.worker.js');
    const total = count(options);
    const tookMs = await timed(async () => {
      const sent = have(worker, { do: 'send', count: total, width: Number(options.get('width')) });
      await Promise.all([bench.answered(total), sent]);
    });
    return { rate: (total / tookMs) * 1000 };
  },
  async gets(options) {
    return { ms: 1000 / (await rateInTurn(count(options), async () => (await fetch('/static.txt')).text())) };
  },
  async posts(options) {
    return { ms: 1000 / (await rateInTurn(count(options), async (number) => (await fetch(...note(number))).text())) };
  },
});
