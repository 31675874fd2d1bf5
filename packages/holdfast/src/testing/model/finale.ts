import { originOf } from '../../core/index-keys';
import type { Entry } from '../../core/entry';
import { edit } from '../../flow/acts/edit';
import { pause, resume } from '../../flow/acts/pause';
import { closeDead, replay } from '../../flow/acts/triage';
import { bodyOf, laneNames, metered, origins, routeNames } from './app';
import { intentOfRow, nameOf } from './facts';
import type { Mood } from './server';
import type { Tab, World } from './world';

/** What stays stuck while everything else must get through. */
export type Stuck =
  | { readonly what: 'nothing' }
  /** What is large, on a metered connection. */
  | { readonly what: 'large' }
  | { readonly what: 'lane'; readonly lane: string }
  | { readonly what: 'origin'; readonly origin: 0 | 1; readonly mood: Mood };

/**
 * How long everything that can go may take to go, ms: longer than any wait, pause and doubt of the model, and shorter than the
 * smallest leap back of its clock, which nobody may have to wait for.
 */
const longestMs = 50 * 60_000;

/** The end of every history: the line is up, nothing is paused, and time passes. Then nothing may be left waiting. */
export async function finale(world: World, stuck: Stuck): Promise<void> {
  const { facts, network, system, weather } = world;
  network.setOnline(true);
  system.sayOffline(false);
  system.sayMetered(stuck.what === 'large');
  weather.failing = 0;
  for (const origin of origins) world.server.mood(origin, []);
  waitForTheirTime(world);
  const tab = world.awake()[0] ?? world.openTab();
  void tab.engine.drain.wake('start');
  await openGates(world, tab);
  if (stuck.what === 'lane') void pause(tab.engine.context, { lane: stuck.lane });
  if (stuck.what === 'origin') world.server.mood(origins[stuck.origin], [stuck.mood]);
  await system.settle();

  if (stuck.what !== 'nothing') {
    const free = () => waiting(world).filter((row) => !isHeldUp(world, row, stuck));
    await passUntil(world, () => free().length === 0);
    for (const row of free())
      facts.violated('no stranger waits', `${nameOf(row)} was held up by a stuck ${stuck.what}`);
    for (const origin of origins) world.server.mood(origin, []);
    system.sayMetered(false);
    await openGates(world, tab);
  }
  // A dead parent holds its children until a person sends it again; parents have parents.
  for (let round = 0; round < 6 && waiting(world).length > 0; round += 1) {
    await passUntil(world, () => waiting(world).every((row) => row.waitsFor?.length || !row.head));
    await helpParents(world, tab);
    waitForTheirTime(world);
    await openGates(world, tab);
  }
  await passUntil(world, () => waiting(world).length === 0);
  for (const row of waiting(world)) facts.violated('always wakes', `${nameOf(row)} was never settled`);
  for (const intent of facts.intents.values()) {
    if (intent.told === 'queued' && !facts.lastSeen.has(intent.id ?? '')) {
      facts.violated('nothing lost', `#${intent.n} was accepted and is nowhere`);
    }
  }
}

/** The app's own times are absolute: on a clock that was turned back by days they are days away. */
function waitForTheirTime(world: World): void {
  const { system } = world;
  const latest = Math.max(...waiting(world).map((row) => row.notBefore ?? 0));
  if (latest > system.now() + 600_000) world.jump(latest - system.now());
}

function waiting({ facts }: World): Entry[] {
  return [...facts.rows.values()].filter(isWaiting);
}

function isWaiting({ state }: Entry): boolean {
  return state === 'pending' || state === 'sending';
}

/** Its own lane or origin is stuck, or it stands behind or depends on something that is. */
function isHeldUp(world: World, row: Entry, stuck: Stuck): boolean {
  if (row.waitsFor?.length) return true;
  if (stuck.what === 'large' && row.bulky && row.priority >= metered.fromPriority) return true;
  if (stuck.what === 'lane' && row.lane === stuck.lane) return true;
  if (stuck.what === 'origin' && originOf(row.request.url) === origins[stuck.origin]) return true;
  const ahead = [...world.facts.rows.values()].filter((other) => other.lane === row.lane && other.seq < row.seq);
  return (
    row.lane !== null && ahead.some((other) => other.holdsLane || (isWaiting(other) && isHeldUp(world, other, stuck)))
  );
}

async function openGates(world: World, tab: Tab): Promise<void> {
  const { context, drain } = tab.engine;
  const acts = [
    resume(context),
    ...routeNames.map((route) => resume(context, { route })),
    ...laneNames.map((lane) => resume(context, { lane })),
    ...[...world.facts.rows.values()].filter((row) => row.holdsLane).map((row) => closeDead(context, row.id, 'end')),
  ];
  for (const act of acts)
    act.catch((error: unknown) => world.facts.violated('nothing silent', `an act failed with ${String(error)}`));
  await world.system.settle();
  void drain.wake('person');
  await world.system.settle();
}

/** Somebody corrects and replays what others wait for. */
async function helpParents(world: World, tab: Tab): Promise<void> {
  const { facts, system } = world;
  const { context, drain } = tab.engine;
  const wanted = new Set(waiting(world).flatMap((row) => row.waitsFor ?? []));
  for (const id of wanted) {
    const parent = [...facts.rows.values()].find((row) => row.id === id);
    if (!parent) facts.violated('always wakes', `entry ${id} is gone, and others wait for it`);
    const intent = parent && intentOfRow(facts, parent);
    if (parent?.state !== 'dead' || !intent) continue;
    intent.version += 1;
    intent.editing = true;
    const body = { body: bodyOf(intent.n, intent.version, false), type: 'application/json' };
    void edit(context, id, { body })
      .finally(() => (intent.editing = false))
      .then(() => replay(context, id))
      .catch((error: unknown) => facts.violated('nothing silent', `a replay failed with ${String(error)}`));
    await system.settle();
  }
  if (wanted.size > 0) void drain.wake('person');
  await system.settle();
}

/** Lets time pass from one timer to the next until something holds. */
async function passUntil(world: World, holds: () => boolean): Promise<void> {
  const { facts, system } = world;
  for (let leftMs = longestMs; leftMs > 0 && !holds() && facts.violations.length === 0;) {
    const next = system.nextTimerAt();
    if (next === undefined) return;
    const ms = Math.max(0, next - system.now());
    await world.pass(ms);
    leftMs -= ms + 1;
  }
}
