import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine, EngineName, Tab } from '../browsers/engine.ts';
import { launch } from '../browsers/launch.ts';
import type { ChaosPage } from './app/page.ts';
import { startApi, type ApiProcess } from './api-process.ts';
import type { Library, Release } from './build-app.ts';
import type { Dice } from './dice.ts';
import { startToldLog, type ToldLog } from './told-log.ts';
import { watchWipes, type WipeWatch } from './wipes.ts';

/** Everything a run plays on: one profile, whatever browser runs on it now, its tabs, the server and the log. */
export interface Stage {
  readonly library: Library;
  readonly api: ApiProcess;
  readonly log: ToldLog;
  readonly dice: Dice;
  readonly wiped: WipeWatch;
  readonly done: { kills: number; workerStops: number; restarts: number; updates: number };
  engine(): Engine;
  tabs(): readonly Tab[];
  /** Starts the browser on its old profile, with one tab that nothing closes. */
  startBrowser(): Promise<void>;
  /** SIGKILL. */
  killBrowser(): Promise<void>;
  /** Opens a page that writes, or (`quiet`) one that only looks on. */
  openTab(kind: 'app' | 'bare' | 'quiet', tab?: Tab): Promise<void>;
  closeTab(tab: Tab): Promise<void>;
  /** Sets the clock of every page and worker, ms off the right time. */
  setClock(ms: number): Promise<void>;
  publish(skip: boolean): Promise<void>;
  close(): Promise<void>;
}

export type Page = Window & { readonly chaos: ChaosPage };

export interface StageOptions {
  readonly engine: EngineName;
  readonly library: Library;
  readonly release: Release;
  readonly seed: number;
  readonly dice: Dice;
}

/** What cannot be opened in this time is left as it is, ms: a server that is gone may keep it. */
const openMs = 10_000;

export async function openStage({ engine: name, library, release, seed, dice }: StageOptions): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-chaos-'));
  const profile = join(folder, 'profile');
  const api = await startApi(folder, seed);
  const log = await startToldLog();
  const wiped = watchWipes(profile);
  const done = { kills: 0, workerStops: 0, restarts: 0, updates: 0 };
  let number = 1;
  await api.publish(release(number, true));
  let engine: Engine | undefined;
  let tabs: Tab[] = [];
  let clockMs = 0;

  const running = (): Engine => {
    if (!engine) throw new Error('no browser runs now');
    return engine;
  };

  function address(asked: 'app' | 'bare' | 'quiet'): string {
    // Without its worker the other library has nothing to keep a write with.
    const kind = library === 'workbox' && asked === 'bare' ? 'app' : asked;
    const query = new URLSearchParams({ told: log.url, clock: String(clockMs) });
    if (kind !== 'quiet') query.set('seed', String(dice.between(1, 1_000_000)));
    return `${api.url}/${kind === 'bare' ? 'bare' : 'app'}/?${query}`;
  }

  async function openTab(kind: 'app' | 'bare' | 'quiet', given?: Tab): Promise<void> {
    const mine = running();
    const tab = given ?? (await mine.newTab());
    if (engine !== mine) return;
    if (!tabs.includes(tab)) tabs.push(tab);
    await within(openMs, tab.open(address(kind)));
  }

  return {
    library,
    api,
    log,
    dice,
    wiped,
    done,
    engine: running,
    tabs: () => tabs,
    async startBrowser() {
      wiped.look();
      engine = await launch(name, { profile, overWorkers: true });
      tabs = [engine];
    },
    async killBrowser() {
      const dying = running();
      engine = undefined;
      await dying.kill();
      done.kills += 1;
    },
    openTab,
    async closeTab(tab) {
      tabs = tabs.filter((other) => other !== tab);
      await tab.close();
    },
    async setClock(ms) {
      clockMs = ms;
      await tabs[0]?.evaluate((to: number) => (window as unknown as Page).chaos.jump(to), ms);
    },
    async publish(skip) {
      number += 1;
      await api.publish(release(number, skip));
      done.updates += 1;
    },
    async close() {
      await engine?.close();
      await api.kill();
      await log.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

/** @throws Error when it takes longer */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${ms} ms`)), ms);
  });
  work.catch(() => undefined);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
