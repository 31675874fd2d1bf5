import { openOutbox } from 'holdfast/page';
import { configFrom } from '../holdfast-config';
import { bench, note, play, rateAtOnce, rateInTurn, timed, workerOf } from './bench';
import { claimMs, listMs, snapshotMs } from './holdfast-full-store';
import { photoHeapMB } from './holdfast-photo';

type Outbox = ReturnType<typeof openOutbox>;

const count = (options: URLSearchParams): number => Number(options.get('count'));

async function paused(options: URLSearchParams): Promise<Outbox> {
  const outbox = openOutbox(configFrom(options));
  await outbox.pause();
  return outbox;
}

/** An outbox whose worker sends, holding this many writes. */
async function filled(options: URLSearchParams): Promise<Outbox> {
  await workerOf(`/holdfast.worker.js?${options.toString()}`);
  const outbox = await paused(options);
  await fill(outbox, count(options));
  return outbox;
}

async function fill(outbox: Outbox, total: number): Promise<void> {
  for (let from = 0; from < total; from += 1_000) {
    const width = Math.min(1_000, total - from);
    await Promise.all(Array.from({ length: width }, (_, at) => outbox.add(...note(from + at))));
  }
}

/** How many wait, by a first look at the store. */
function waiting(outbox: Outbox): Promise<number> {
  return new Promise((resolve) => {
    outbox.subscribe(({ ready, counts }) => ready && resolve(counts.pending + counts.sending));
  });
}

async function mustBeQueued(response: Response): Promise<void> {
  const { state } = (await response.json()) as { state?: string };
  if (response.status !== 202 || state !== 'queued') throw new Error(`answered ${response.status}, not kept`);
}

void play({
  async enqueueInTurn(options) {
    const outbox = await paused(options);
    return { rate: await rateInTurn(count(options), (number) => outbox.add(...note(number))) };
  },
  async enqueueAtOnce(options) {
    const outbox = await paused(options);
    return { rate: await rateAtOnce(count(options) / 100, 100, (number) => outbox.add(...note(number))) };
  },
  async fill(options) {
    const outbox = await paused(options);
    const held = await waiting(outbox);
    await fill(outbox, Math.max(0, count(options) - held));
    return { held: count(options) };
  },
  async drain(options) {
    const outbox = await filled(options);
    const tookMs = await timed(() => Promise.all([bench.answered(count(options)), outbox.resume()]));
    await outbox.whenIdle();
    return { rate: (count(options) / tookMs) * 1000 };
  },
  async capture(options) {
    await workerOf(`/holdfast.worker.js?${options.toString()}`);
    await bench.serverDown();
    const rate = await rateAtOnce(count(options) / 50, 50, async (number) =>
      mustBeQueued(await fetch(...note(number))),
    );
    return { rate };
  },
  async gets(options) {
    await workerOf(`/holdfast.worker.js?${options.toString()}`);
    return { ms: 1000 / (await rateInTurn(count(options), async () => (await fetch('/static.txt')).text())) };
  },
  async posts(options) {
    await workerOf(`/holdfast.worker.js?${options.toString()}`);
    return { ms: 1000 / (await rateInTurn(count(options), async (number) => (await fetch(...note(number))).text())) };
  },
  async photo(options) {
    await workerOf(`/holdfast.worker.js?${options.toString()}`);
    const outbox = openOutbox(configFrom(options));
    const photo = new Blob([new Uint8Array(5_000_000).fill(7)], { type: 'image/jpeg' });
    await bench.serverDown();
    const keptMs = await timed(async () => mustBeQueued(await fetch('/api/photos', { method: 'POST', body: photo })));
    await bench.serverUp();
    const sentMs = await timed(() =>
      Promise.all([bench.answered(1), outbox.flush({ ignoreBackoff: true, force: true })]),
    );
    return { ms: keptMs + sentMs };
  },
  async photoHeap(options) {
    return { mb: await photoHeapMB(openOutbox(configFrom(options))) };
  },
  async follow(options) {
    const outbox = await filled(options);
    // Not how many are delivered: where that takes long, those of the beginning are forgotten before the end.
    let waited = 0;
    const idle = new Promise<void>((resolve) => {
      outbox.subscribe(({ counts }) => {
        const waits = counts.pending + counts.sending;
        waited = Math.max(waited, waits);
        if (waited > 0 && waits === 0) resolve();
      });
    });
    const before = await bench.pageCpuMs();
    await outbox.resume();
    await idle;
    return { ms: (await bench.pageCpuMs()) - before };
  },
  claim: async (options) => ({ ms: await claimMs(() => paused(options)) }),
  snapshot: async (options) => ({ ms: await snapshotMs(() => openOutbox(configFrom(options))) }),
  list: async (options) => ({ ms: await listMs(await paused(options)) }),
});
