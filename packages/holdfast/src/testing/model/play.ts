import { OutboxError, type OutboxErrorCode } from '../../core/errors';
import { cancel } from '../../flow/acts/cancel';
import { edit } from '../../flow/acts/edit';
import { bringForward } from '../../flow/acts/flush';
import { pause, resume } from '../../flow/acts/pause';
import { reprioritize } from '../../flow/acts/reprioritize';
import type { WakeReason } from '../../flow/wake-reason';
import { claimDead, closeDead, replay } from '../../flow/acts/triage';
import { exportEntries, importEntries } from '../../flow/acts/transfer';
import type { Json } from '../../core/entry';
import { bodyOf, origins } from './app';
import { call, placeOf, rowOf } from './calls';
import { intentOfRow } from './facts';
import type { Act, Mishap, Step } from './step';
import type { Tab, World } from './world';

/** Refusals an app has to live with; any other error is a bug. */
const refusals: readonly OutboxErrorCode[] = [
  'illegal-move',
  'not-found',
  'changed-meanwhile',
  'outcome-unknown',
  'full',
  'storage-unavailable',
  'dependency-failed',
];

const nth = <T>(list: readonly T[], n: number): T | undefined => (list.length > 0 ? list[n % list.length] : undefined);

/** Whether a step can be taken now; what cannot is left out of the history. */
export function isPossible(world: World, step: Step): boolean {
  if (step.act === 'kill' || step.act === 'freeze') return world.awake().length > 0;
  if (step.act === 'open') return world.tabs.filter((tab) => !tab.dead).length < 3;
  if (step.act === 'thaw') return world.tabs.some((tab) => tab.frozen && !tab.dead);
  return true;
}

/** Takes one step and lets promises settle. */
export async function play(world: World, step: Step): Promise<void> {
  switch (step.act) {
    case 'pass':
      await world.pass(step.ms);
      break;
    case 'jump':
      world.jump(step.ms);
      break;
    case 'line':
      // The platform is asked when the flow hears of a cut, so it knows first.
      world.system.sayOffline(!step.says);
      world.network.setOnline(step.online);
      if (step.hint) for (const tab of world.awake()) void tab.engine.drain.wake('online');
      break;
    case 'cost':
      world.system.sayMetered(step.metered);
      break;
    case 'server':
      world.server.mood(origins[step.origin], step.moods);
      break;
    case 'open':
      startTab(world);
      break;
    case 'kill':
    case 'freeze':
      strike(world, nth(world.awake(), step.tab), step.act);
      break;
    case 'thaw':
      for (const tab of world.tabs) world.thaw(tab);
      break;
    case 'rob':
      world.rob();
      break;
    case 'storage':
      world.weather.failing = step.failing;
      break;
    default:
      await actIn(world, step, step.tab, step.mishap);
  }
  await world.system.settle();
}

export function startTab(world: World): Tab {
  const tab = world.openTab();
  void tab.engine.drain.wake('start');
  return tab;
}

async function actIn(world: World, act: Act, tabNo: number, mishap: Mishap | undefined): Promise<void> {
  // Whoever wants something of an app that is closed opens it.
  const tab = nth(world.awake(), tabNo) ?? startTab(world);
  // What a page does after each act: the queue is looked at.
  void perform(world, tab, act).then(
    () => (act.act === 'wake' ? undefined : tab.engine.drain.wake(reasonAfter(act))),
    (error: unknown) => {
      const known = error instanceof OutboxError && refusals.includes(error.code);
      if (!known) world.facts.violated('nothing silent', `${act.act} failed with ${String(error)}`);
    },
  );
  if (!mishap) return;
  for (let turn = 0; turn < mishap.after; turn += 1) await Promise.resolve();
  strike(world, tab, mishap.what);
}

function reasonAfter({ act }: Act): WakeReason {
  return act === 'add' || act === 'fetch' ? 'enqueue' : 'person';
}

function strike(world: World, tab: Tab | undefined, what: Mishap['what']): void {
  if (!tab || tab.dead) return;
  if (what === 'rob') return world.rob();
  if (what === 'kill') return world.kill(tab);
  tab.frozen = true;
  tab.fake.freeze();
}

async function perform(world: World, tab: Tab, act: Act): Promise<void> {
  const { context, drain } = tab.engine;
  switch (act.act) {
    case 'fetch':
    case 'add':
      return call(world, tab, act.act === 'fetch', act.wish);
    case 'wake':
      return drain.wake(act.why);
    case 'pause':
      return pause(context, { ...act.scope, ...(act.forMs !== null && { until: context.system.now() + act.forMs }) });
    case 'resume':
      return resume(context, act.scope);
    case 'flush':
      if (act.force) world.newEra();
      return bringForward(context, act);
    case 'reprioritize': {
      const row = act.row === undefined ? undefined : rowOf(world, act.row);
      const filter = { ...(act.lane !== undefined && { lane: act.lane }), ...(row && { ids: [row.id] }) };
      await reprioritize(context, filter, act.priority);
      return;
    }
    case 'transfer':
      await importEntries(context, (await exportEntries(context, {}, true)) as unknown as Json);
      return;
    case 'edit':
      return change(world, tab, act.row, act.place);
    case 'cancel':
    case 'claim':
    case 'replay':
    case 'close': {
      const row = rowOf(world, act.row);
      if (!row) return;
      if (act.act === 'cancel') await cancel(context, row.id, act);
      else if (act.act === 'claim') await claimDead(context, row.id, 'ann');
      else if (act.act === 'close') await closeDead(context, row.id, 'looked at');
      else await replay(context, row.id);
    }
  }
}

/** Gives a row a new version of its content, and perhaps another address. */
async function change(world: World, tab: Tab, no: number, place?: number): Promise<void> {
  const row = rowOf(world, no);
  const intent = row && intentOfRow(world.facts, row);
  if (!row || !intent || intent.editing) return;
  const version = intent.version + 1;
  intent.editing = true;
  intent.version = version;
  try {
    await edit(
      tab.engine.context,
      row.id,
      {
        body: { body: bodyOf(intent.n, version, row.body.kind === 'apart'), type: 'application/json' },
        ...(place !== undefined && { url: placeOf(place).url }),
      },
      row.revision,
    );
  } finally {
    intent.editing = false;
  }
}
