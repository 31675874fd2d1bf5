import { setTimeout as pause } from 'node:timers/promises';
import { freeze } from './freeze.ts';
import { weathers } from './server/weather.ts';
import type { Page, Stage } from './stage.ts';

/** What can happen in the middle of everything. */
export type Strike =
  | 'weather'
  | 'server-gone'
  | 'server-killed'
  | 'worker-stopped'
  | 'reload'
  | 'close'
  | 'open'
  | 'freeze'
  | 'clock'
  | 'update'
  | 'offline';

/** By weight. */
export const strikes: Readonly<Record<Strike, number>> = {
  weather: 6,
  'server-gone': 3,
  'server-killed': 1,
  'worker-stopped': 4,
  reload: 2,
  close: 1,
  open: 2,
  freeze: 2,
  clock: 2,
  update: 2,
  offline: 1,
};

const hourMs = 3_600_000;
const tabsMax = 5;

/** @returns false when this engine, or this moment, has no such thing */
export async function strike(kind: Strike, stage: Stage): Promise<boolean> {
  const { api, dice } = stage;
  const engine = stage.engine();
  const tabs = stage.tabs();
  // The first tab stays: it is how the harness speaks to the browser.
  const victim = dice.pick(tabs.slice(1));
  switch (kind) {
    case 'weather':
      await api.weather(weathers[dice.pick(Object.keys(weathers))]!);
      return true;
    case 'server-gone':
      await api.shut();
      await pause(dice.between(100, 1_500));
      await api.open();
      return true;
    case 'server-killed':
      await api.kill();
      await pause(dice.between(0, 500));
      await api.open();
      return true;
    case 'worker-stopped':
      if (!engine.stopWorkers) return false;
      await engine.stopWorkers();
      stage.done.workerStops += 1;
      return true;
    case 'reload':
      await (victim ?? engine).reload();
      return true;
    case 'close':
      if (!victim) return false;
      await stage.closeTab(victim);
      return true;
    case 'open':
      if (tabs.length >= tabsMax) return false;
      await stage.openTab(dice.pick(['app', 'app', 'bare']));
      return true;
    case 'freeze': {
      const thaw = await freeze(engine, victim ?? engine);
      await pause(dice.between(200, 2_500));
      await thaw();
      return true;
    }
    case 'clock':
      await stage.setClock(dice.pick([0, 0, 3, -3, 0.01, -0.01, 72, -72]) * hourMs);
      return true;
    case 'update':
      await stage.publish(dice.roll() < 0.5);
      await engine.evaluate(() => (window as unknown as Page).chaos.update());
      return true;
    case 'offline':
      if (!engine.setOffline) return false;
      await engine.setOffline(true);
      await pause(dice.between(100, 1_500));
      await engine.setOffline(false);
      return true;
  }
}
