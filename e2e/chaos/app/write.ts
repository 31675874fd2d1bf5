import { diceOf, type Dice } from '../dice.ts';
import type { Door, Told } from '../intent.ts';
import { trueTime } from './clock.ts';
import { tell } from './tell.ts';

/** What a page's way to write takes, and what the page was told. */
export type Write = (url: string, init: RequestInit) => Promise<Told['kind']>;

export interface WriterOptions {
  readonly seed: number;
  /** Where to say what was told. */
  readonly told: string;
  readonly doors: Readonly<Partial<Record<Door, Write>>>;
}

const lanes = ['keep/a', 'keep/b', 'keep/c', 'ahead/d', 'ahead/e', 'loose'];

/** One of so many can never be done. */
const poisonOneIn = 40;

/** A page that hears nothing for so long goes on with something else, ms. */
const patienceMs = 3_000;

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Writes as several parts of an app do at the same time: alone and in bursts, without end. */
export function startWriting(options: WriterOptions): void {
  const page = crypto.randomUUID().slice(0, 8);
  let count = 0;
  for (let part = 0; part < 3; part += 1) void go(diceOf(options.seed * 31 + part));

  async function go(dice: Dice): Promise<void> {
    const doors = Object.entries(options.doors) as [Door, Write][];
    for (;;) {
      await pause(dice.between(20, 400));
      const path = dice.pick(lanes);
      const [door, write] = dice.pick(doors);
      const burst = Array.from({ length: dice.pick([1, 1, 1, 2, 4]) }, () => one(path, door, write, dice));
      await Promise.race([Promise.all(burst), pause(patienceMs)]);
    }
  }

  async function one(path: string, door: Door, write: Write, dice: Dice): Promise<void> {
    const nth = (count += 1);
    const about = {
      intent: `${page}-${nth}`,
      lane: path === 'loose' ? null : path,
      page,
      nth,
      begunAt: trueTime(),
    };
    const poison = dice.between(1, poisonOneIn) === 1;
    const padding = 'x'.repeat(dice.pick([0, 10, 200, 6_000]));
    const kind = await write(`/api/${path}`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ ...about, poison, padding, told: options.told }),
    });
    await tell(options.told, { ...about, door, kind, toldAt: trueTime() });
  }
}
