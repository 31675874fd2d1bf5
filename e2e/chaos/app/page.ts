import { openOutbox } from 'holdfast/page';
import type { Held } from '../intent.ts';
import { config } from './config.ts';
import { followClock, jump, setClock } from './clock.ts';
import { startWriting, type Write } from './write.ts';

/** What the harness asks of a page. */
export interface ChaosPage {
  /** How many still wait. */
  waiting(): Promise<number>;
  held(): Promise<readonly Held[]>;
  /** Why what waits is not being sent, for people. */
  why(): Promise<readonly string[]>;
  /** What counted as delivered by another answer than the API gives, for people. */
  oddDeliveries(): Promise<readonly string[]>;
  jump(ms: number): Promise<void>;
  /** Asks for a new release of the worker. */
  update(): Promise<void>;
}

/** `?seed=1&told=URL&clock=MS`; without a seed the page only looks on. Under `/bare/` no worker controls it. */
const query = new URLSearchParams(location.search);
const controlled = location.pathname.startsWith('/app/');
setClock(Number(query.get('clock') ?? 0));
followClock();
const outbox = openOutbox(config);

const judged = (response: Response): 'queued' | 'done' | 'refused' =>
  response.headers.has('Holdfast-Entry') && response.status === 202 ? 'queued' : response.ok ? 'done' : 'refused';
const wrapper: Write = (url, init) => outbox.fetch(url, init).then(judged, () => 'failed');
// Before a worker controls the page its plain fetch is nobody's: a captive portal's 200 would count as "done".
const throughWorker: Write = (url, init) =>
  navigator.serviceWorker.controller ? fetch(url, init).then(judged, () => 'failed') : wrapper(url, init);
const add: Write = (url, init) =>
  outbox.add(url, init).then(
    () => 'queued',
    () => 'failed',
  );

/** Whether this page was told that the browser threw away what was stored. */
let knowsOfWipe = false;
outbox.subscribe(() => {
  if (knowsOfWipe || !outbox.status().limits.some(({ code }) => code === 'evicted')) return;
  knowsOfWipe = true;
  void fetch(`${query.get('told') ?? ''}/evicted`, { method: 'POST' }).catch(() => undefined);
});

const seed = query.get('seed');
if (controlled) void navigator.serviceWorker.register('/worker.js', { scope: '/app/' }).catch(() => undefined);
if (seed !== null) {
  const doors = { ...(controlled && { fetch: throughWorker }), wrapper, add };
  startWriting({ seed: Number(seed), told: query.get('told') ?? '', doors });
}

/** One walk over all of them by their place in store, which never changes: what moves on meanwhile is not missed. */
async function held(): Promise<Held[]> {
  const found: Held[] = [];
  for (let after: number | undefined; ;) {
    const views = await outbox.list({ limit: 200, ...(after !== undefined && { after }) });
    for (const { id, state } of views) {
      if (state === 'delivered') continue;
      const content = await outbox.content(id);
      const { intent } = JSON.parse((await content?.body?.text()) ?? '{}') as { intent: string };
      found.push({ intent, state });
    }
    after = views.at(-1)?.seq;
    if (views.length < 200) return found;
  }
}

/** The API answers 201 to what it has done: whatever else counted as delivered, for people. */
async function oddDeliveries(): Promise<string[]> {
  const found: string[] = [];
  for (let after: number | undefined; ;) {
    const views = await outbox.list({ state: 'delivered', limit: 200, ...(after !== undefined && { after }) });
    found.push(...views.filter(({ status }) => status !== 201).map((view) => JSON.stringify(view)));
    after = views.at(-1)?.seq;
    if (views.length < 200) return found;
  }
}

async function waiting(): Promise<number> {
  const { pending, sending } = (await outbox.stats()).waiting;
  return pending + sending;
}

const chaos: ChaosPage = {
  waiting,
  held,
  oddDeliveries,
  async why() {
    const views = [
      ...(await outbox.list({ state: 'pending', limit: 5 })),
      ...(await outbox.list({ state: 'sending' })),
    ];
    return Promise.all(
      views.map(async (view) => JSON.stringify({ ...view, why: await outbox.explain(view.id), now: Date.now() })),
    );
  },
  jump,
  async update() {
    await (await navigator.serviceWorker.getRegistration('/app/'))?.update();
  },
};
Object.assign(window, { chaos });
