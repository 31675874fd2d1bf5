import { defineOutbox } from 'holdfast';
import { openOutbox, type Outbox } from 'holdfast/page';
import { play, timed } from './bench';

/** An outbox that keeps and sends nothing, sealed or not. */
async function opened(encrypt: boolean): Promise<Outbox> {
  const name = encrypt ? 'sealed' : 'plain';
  const outbox = openOutbox(defineOutbox({ name, encrypt, routes: [{ name: 'notes', match: '/api/*', lane: null }] }));
  await outbox.pause();
  return outbox;
}

const writing = (bytes: number): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/octet-stream', authorization: 'Bearer of-some-length' },
  body: new Uint8Array(bytes).map((_, at) => at % 251),
});

async function keep(outbox: Outbox, count: number, init: RequestInit): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await outbox.add('/api/notes', init)).id);
  return ids;
}

async function read(outbox: Outbox, ids: readonly string[]): Promise<void> {
  for (const id of ids) await (await outbox.content(id))?.body?.arrayBuffer();
}

/** Milliseconds for one request of `bytes`, kept and read again, in both outboxes by turns. */
async function both(options: URLSearchParams): Promise<Readonly<Record<string, number>>> {
  const init = writing(Number(options.get('bytes')));
  const count = Number(options.get('count'));
  const outboxes = { plain: await opened(false), sealed: await opened(true) };
  for (const outbox of Object.values(outboxes)) await read(outbox, await keep(outbox, 2, init));
  const turns: readonly (keyof typeof outboxes)[] =
    Number(options.get('round')) % 2 ? ['plain', 'sealed'] : ['sealed', 'plain'];
  const figures: Record<string, number> = {};
  for (const turn of turns) {
    let ids: readonly string[] = [];
    const keepMs = await timed(async () => (ids = await keep(outboxes[turn], count, init)));
    const readMs = await timed(() => read(outboxes[turn], ids));
    figures[`${turn}Keep`] = keepMs / count;
    figures[`${turn}Read`] = readMs / count;
    await outboxes[turn].purge();
  }
  return figures;
}

void play({ both });
