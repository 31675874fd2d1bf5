import { type ChildProcess, fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { FromPart } from './part.ts';

/*
 * `tsx e2e/model/run.ts --runs 10000 --seed 7`: plays generated histories of the whole queue and looks whether every promise is
 * kept. Progress goes to stderr; the last line on stdout is `{"runs":…,"violations":…,"seed":…}`, and the smallest history
 * that breaks a promise comes before it.
 */

/** As many processes as there are cores on the smallest machine this runs on. */
const parts = 2;

const { values } = parseArgs({ options: { runs: { type: 'string' }, seed: { type: 'string' } } });
const runs = wholeNumber('runs', values.runs ?? '10000');
const seed = wholeNumber('seed', values.seed ?? String(randomInt(2 ** 31)));

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  console.error(`--${name} must be a whole number from 0, got "${text}"`);
  process.exit(2);
}

const startedAt = Date.now();
const done: number[] = [];
const children: ChildProcess[] = [];
let violations = 0;

function progress(): void {
  const sum = done.reduce((a, b) => a + b, 0);
  const perSecond = Math.round((sum * 1000) / Math.max(1, Date.now() - startedAt));
  console.error(`model: ${sum} of ${runs} histories, ${perSecond} a second (seed ${seed})`);
}

/** Plays one share of the histories in a process of its own; resolves when that is over. */
function play(part: number): Promise<void> {
  const share = Math.floor(runs / parts) + (part < runs % parts ? 1 : 0);
  done[part] = 0;
  if (share === 0) return Promise.resolve();
  const child = fork(new URL('./part.ts', import.meta.url), [String(share), String(seed + part * 1_000_003)]);
  children.push(child);
  return new Promise((resolve, reject) => {
    child.on('message', (message: FromPart) => {
      done[part] = message.done;
      if (message.counterexample === undefined) return;
      violations += 1;
      console.log(`\n${message.counterexample}\n`);
      // One is enough to work on; the other share would only take time.
      for (const other of children) if (other !== child) other.kill();
    });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 || violations > 0 ? resolve() : reject(new Error(`a part ended with ${code}`)),
    );
  });
}

const ticking = setInterval(progress, 5_000);
await Promise.all(Array.from({ length: parts }, (_, part) => play(part)));
clearInterval(ticking);
progress();
console.log(JSON.stringify({ runs: done.reduce((a, b) => a + b, 0), violations, seed }));
process.exitCode = violations > 0 ? 1 : 0;
