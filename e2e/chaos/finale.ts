import { setTimeout as pause } from 'node:timers/promises';
import type { Held } from './intent.ts';
import { fair } from './server/weather.ts';
import { dispatchSync } from './dispatch-sync.ts';
import { within, type Page, type Stage } from './stage.ts';

/**
 * How long nothing at all may move once nothing is in the way, ms. A clock that leapt in the last round is doubted for ten minutes,
 * and what would be too old if it were right goes nowhere meanwhile, with all that stands behind it.
 */
export const patienceMs = 690_000;

/** Lets everything through, waits until nothing is left or nothing moves for so long, and returns what is still held. */
export async function finale(stage: Stage, patience: number, say: (line: string) => void): Promise<readonly Held[]> {
  await stage.api.open();
  await stage.api.weather(fair);
  const engine = stage.engine();
  await stage.openTab('quiet', engine);
  await stage.openTab('quiet');
  await engine.waitFor('window.chaos !== undefined');
  await stage.setClock(0);
  const startedAt = Date.now();
  let waiting = -1;
  let done = -1;
  for (let movedAt = startedAt; waiting !== 0 && Date.now() - movedAt < patience;) {
    waiting = await within(
      30_000,
      engine.evaluate(() => (window as unknown as Page).chaos.waiting()),
    );
    const before = done;
    done = await stage.api.count();
    if (done !== before) movedAt = Date.now();
    // The other library sends only when the browser says so, which may take it many minutes.
    if (stage.library === 'workbox' && engine.name === 'chromium') {
      await dispatchSync(engine, stage.api.url, '/app/', 'workbox-background-sync:chaos');
    }
    await pause(250);
  }
  say(`finale: ${waiting} waiting after ${Math.round((Date.now() - startedAt) / 1000)} s`);
  if (waiting > 0) for (const line of await engine.evaluate(() => (window as unknown as Page).chaos.why())) say(line);
  for (const line of await engine.evaluate(() => (window as unknown as Page).chaos.oddDeliveries()))
    say(`odd: ${line}`);
  // What pages were told on their last breath is still on its way.
  await pause(500);
  return engine.evaluate(() => (window as unknown as Page).chaos.held());
}
