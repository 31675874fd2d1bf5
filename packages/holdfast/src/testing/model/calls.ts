import { factsOf } from '../../flow/intent';
import { queueNow } from '../../flow/queue-now';
import type { CallOptions } from '../../core/options';
import { bodyOf, places, requestTo, type Place } from './app';
import type { Intent } from './facts';
import type { Wish } from './step';
import type { Tab, World } from './world';

const anywhere: Place = { url: 'https://app.example/free', lane: null };

export function placeOf(nth: number): Place {
  return places[nth % places.length] ?? anywhere;
}

/** Rows in store order; a number chooses among them. */
export function rowOf({ facts }: World, nth: number) {
  const rows = [...facts.rows.values()].sort((one, other) => one.seq - other.seq);
  return rows.length > 0 ? rows[nth % rows.length] : undefined;
}

/** Makes a request as an app does, and notes what the app is told when it is told. */
export async function call(world: World, tab: Tab, live: boolean, wish: Wish): Promise<void> {
  const { facts, system } = world;
  const place = placeOf(wish.place);
  const n = facts.intents.size + 1;
  const intent: Intent = {
    n,
    tab: tab.name,
    lane: wish.lane !== undefined ? wish.lane : place.lane,
    madeAt: facts.tick(),
    told: 'open',
    version: 0,
    deadline: system.now() + (wish.expiresInMs ?? place.lifeMs ?? Infinity),
    blind: false,
    editing: false,
    doneAt: new Map(),
  };
  facts.intents.set(n, intent);
  const parent = wish.dependsOn === undefined ? undefined : rowOf(world, wish.dependsOn);
  const options: CallOptions = {
    meta: { n },
    ...(wish.lane !== undefined && { lane: wish.lane }),
    ...(wish.priority !== undefined && { priority: wish.priority }),
    ...(wish.expiresInMs !== undefined && { expiresInMs: wish.expiresInMs }),
    ...(wish.notBeforeMs !== undefined && { notBefore: system.now() + wish.notBeforeMs }),
    ...(parent && { dependsOn: [parent.id] }),
    ...(wish.coalesce && { coalesce: true }),
  };
  const { engine } = tab;
  const request = requestTo(place.url);
  const captured = { request, body: bodyOf(n, 0, wish.long === true), type: 'application/json' };
  const found = engine.context.config.route(factsOf(request), engine.context.origin);
  if (!found) throw new Error(`the model has no route for ${place.url}`);
  try {
    if (live) await told(world, intent, () => engine.live({ captured, ...found, call: options }));
    else {
      const { id } = await queueNow(engine, captured, found, options);
      intent.id = id;
      intent.told = 'queued';
    }
  } catch (error) {
    intent.told = 'failed';
    throw error;
  } finally {
    intent.toldAt = facts.tick();
  }
}

async function told(world: World, intent: Intent, fetch: () => ReturnType<Tab['engine']['live']>): Promise<void> {
  const result = await fetch();
  if (result.kind === 'queued') {
    intent.id = result.entry.id;
    intent.told = 'queued';
    if (!world.facts.lastSeen.has(result.entry.id)) {
      world.facts.violated('nothing lost', `#${intent.n} was called queued, and is nowhere`);
    }
    return;
  }
  if (result.kind === 'failed') {
    intent.told = 'failed';
    if (result.error) throw result.error;
    return;
  }
  intent.told = 'answered';
  const { status } = result.response as { readonly status: number };
  if (status === 201 && intent.doneAt.size === 0) {
    world.facts.violated('nothing lost', `#${intent.n} was answered ${status}, but the server did not do it`);
  }
}
