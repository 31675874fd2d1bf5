import { setTimeout as pause } from 'node:timers/promises';
import type { EngineName } from '../browsers/engine.ts';
import { buildChaosApp, type Library } from './build-app.ts';
import { check, type Checked } from './check.ts';
import { diceOf, type Dice } from './dice.ts';
import { finale, patienceMs } from './finale.ts';
import type { Effect, Held, Told } from './intent.ts';
import { openStage, type Stage } from './stage.ts';
import { strike, strikes, type Strike } from './strikes.ts';

export interface Play {
  readonly engine: EngineName;
  /** Each ends with the browser killed in the middle of whatever went on. */
  readonly rounds: number;
  readonly seed: number;
  /** @default 'holdfast' */
  readonly library?: Library;
  /** How long nothing may move at the end before it is called stuck, ms. @default `patienceMs` of the finale */
  readonly patience?: number;
  /** Hears what happens, line by line. */
  readonly say?: (line: string) => void;
}

/** What is written to `report-<engine>.json`, field by field. */
export interface Report extends Omit<Checked, 'findings'> {
  readonly engine: EngineName;
  readonly seed: number;
  readonly rounds: number;
  /** SIGKILLs of the whole browser. */
  readonly kills: number;
  /** Service workers ended while the browser ran on; 0 where an engine has no such command. */
  readonly workerStops: number;
  /** Starts of the browser on the profile of a killed one. */
  readonly restarts: number;
  /** New releases of the worker. */
  readonly updates: number;
  /** How often the browser threw away all it had stored; see `wipes.ts`. */
  readonly wipes: number;
  /** Pages that were told of it by the outbox. */
  readonly wipesTold: number;
}

export interface Played {
  readonly report: Report;
  /** What is wrong, line by line. */
  readonly findings: readonly string[];
  /** What it was judged by. */
  readonly evidence: {
    readonly told: readonly Told[];
    readonly effects: readonly Effect[];
    readonly held: readonly Held[];
    readonly wipes: readonly number[];
  };
}

/** Plays a run from a fresh profile to the last check. */
export async function play(options: Play): Promise<Played> {
  const { engine, rounds, seed, library = 'holdfast', patience = patienceMs, say = () => undefined } = options;
  const dice = diceOf(seed);
  const stage = await openStage({ engine, library, release: await buildChaosApp(library), seed, dice });
  try {
    await stage.startBrowser();
    for (let round = 1; round <= rounds; round += 1) {
      const seen = await playRound(stage, planOf(diceOf(seed * 1_009 + round)));
      say(`${engine} ${round}/${rounds}: ${seen.join(', ')}; told so far ${stage.log.told.length}`);
      await stage.startBrowser();
      stage.done.restarts += 1;
    }
    const held = await finale(stage, patience, say);
    const effects = await stage.api.ledger();
    stage.wiped.look();
    const { wipes } = stage.wiped;
    const { findings, ...figures } = check(stage.log.told, effects, held, wipes.at(-1));
    const evidence = { told: stage.log.told, effects, held, wipes };
    const browser = { wipes: wipes.length, wipesTold: stage.log.evictions() };
    return { report: { engine, seed, rounds, ...stage.done, ...figures, ...browser }, findings, evidence };
  } finally {
    await stage.close();
  }
}

/** When a round is over. Its own dice cast it: those of the stage are cast in whatever order things happen. */
interface Plan {
  /** So many writes must have been accepted; null: the kill comes after a time, whatever happened. */
  readonly accepted: number | null;
  /** Ms from there to the kill. */
  readonly restMs: number;
}

const planOf = (dice: Dice): Plan =>
  dice.roll() < 0.1
    ? { accepted: null, restMs: dice.between(100, 2_300) }
    : { accepted: dice.between(3, 20), restMs: dice.between(0, 300) };

/** Some seconds of an app in use, with things going wrong, and a kill. @returns what went wrong, for people */
async function playRound(stage: Stage, plan: Plan): Promise<string[]> {
  const { dice } = stage;
  const seen: string[] = [];
  let over = false;
  let endRound = (): void => undefined;
  const ended = new Promise<void>((resolve) => (endRound = resolve));

  async function attempt(name: string, work: () => Promise<unknown>): Promise<void> {
    if (over) return;
    try {
      // A remote control whose browser is killed may never answer.
      const outcome = await Promise.race([work(), ended.then(() => 'killed meanwhile')]);
      if (outcome !== false) seen.push(outcome === 'killed meanwhile' ? `${name} (killed meanwhile)` : name);
    } catch (error) {
      // A page does not open while its server is gone, and a browser that was killed does nothing more.
      if (!over) seen.push(`${name} (${String(error).split('\n')[0]})`);
    }
  }

  async function misfortunes(): Promise<void> {
    const more = dice.pick([1, 1, 2]);
    for (let n = 0; n < more; n += 1) await attempt('tab', () => stage.openTab(dice.pick(['app', 'app', 'bare'])));
    while (!over) {
      await Promise.race([pause(dice.between(50, 500)), ended]);
      if (over) return;
      const kind: Strike = dice.weighed(strikes);
      await attempt(kind, () => strike(kind, stage));
    }
  }

  await stage.api.open();
  const before = acceptedOf(stage);
  const begun = attempt('app', () => stage.openTab('app', stage.engine()));
  const going = begun.then(misfortunes);
  if (plan.accepted !== null) await activity(stage, before + plan.accepted);
  await pause(plan.restMs);
  over = true;
  endRound();
  await stage.killBrowser();
  await going;
  return seen;
}

/** A round is measured by what was accepted, not by time: slow machines get as much of it. At most so long, ms. */
const roundMs = 30_000;

const acceptedOf = (stage: Stage): number =>
  stage.log.told.filter(({ kind }) => kind === 'queued' || kind === 'done').length;

async function activity(stage: Stage, accepted: number): Promise<void> {
  const endsAt = Date.now() + roundMs;
  while (acceptedOf(stage) < accepted && Date.now() < endsAt) await pause(20);
}
