import type { Outbox } from 'holdfast/page';
import { median, note, timed } from './bench';

const repeats = 9;

/** From "go on" to the first request that leaves, by this page: the wake-up, the claim and what lies before it. */
export async function claimMs(open: () => Promise<Outbox>): Promise<number> {
  const real = window.fetch.bind(window);
  const taken: number[] = [];
  let left = (): void => undefined;
  let sent = 0;
  // An outbox takes the page's `fetch` when it opens.
  window.fetch = (input, init) => {
    if (!(input instanceof Request) || !input.url.includes('/api/')) return real(input, init);
    left();
    sent += 1;
    return outbox.pause().then(() => new Response('{}', { status: 201 }));
  };
  const outbox = await open();
  window.fetch = real;
  for (let round = 0; round < repeats; round += 1) {
    const leaves = new Promise<void>((resolve) => (left = resolve));
    sent = 0;
    taken.push(await timed(() => Promise.all([outbox.resume(), leaves])));
    await outbox.pause();
    while ((await outbox.list({ state: 'sending' })).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    // As many as before.
    for (let at = 0; at < sent; at += 1) await outbox.add(...note(at));
  }
  return median(taken);
}

/** From opening an outbox to the first look at it, while the database is open already (cold, the engine reads its files first). */
export async function snapshotMs(open: () => Outbox): Promise<number> {
  await ready(open());
  const taken: number[] = [];
  for (let round = 0; round < repeats; round += 1) {
    let outbox: Outbox | undefined;
    taken.push(await timed(() => ready((outbox = open()))));
    outbox?.close();
  }
  return median(taken);
}

function ready(outbox: Outbox): Promise<void> {
  return new Promise((resolve) => {
    outbox.subscribe((snapshot) => snapshot.ready && resolve());
  });
}

/** The first hundred waiting ones. */
export async function listMs(outbox: Outbox): Promise<number> {
  const list = async (): Promise<void> => {
    const rows = await outbox.list({ state: 'pending', limit: 100 });
    if (rows.length < 100) throw new Error(`${rows.length} rows instead of 100`);
  };
  await list();
  const taken: number[] = [];
  for (let round = 0; round < repeats * 3; round += 1) taken.push(await timed(list));
  return median(taken);
}
