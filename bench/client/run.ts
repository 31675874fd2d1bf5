import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildScripts } from './build-scripts.ts';
import { jobs, type JobName } from './jobs.ts';
import { companions, keys, sizeKeys } from './keys.ts';
import { measure, type Rounds } from './measure.ts';
import { isMet, resultOf, type Results, table, writeResults } from './results.ts';
import { sizeOf } from './sizes.ts';
import { spreadOf } from './spread.ts';

/** `npx -y pnpm@12.4.2 bench [--only <prefix of a key>] [--rounds 5] [--built]`: see docs/benchmarks.md. */
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
    built: { type: 'boolean', default: false },
  },
});
const root = resolve(import.meta.dirname, '../..');
const wanted = (key: string): boolean => key.startsWith(options.only);

if (!options.built)
  execFileSync('npx', ['-y', 'pnpm@12.4.2', '--filter', 'holdfast', 'build'], { cwd: root, stdio: 'ignore' });
const results: Results = {};
const chosen = Object.entries(keys).filter(([key]) => wanted(key));
if (chosen.length > 0) {
  const beside = Object.entries(companions).filter(([prefix]) => chosen.some(([key]) => key.startsWith(prefix)));
  const names = [...new Set([...chosen.flatMap(([, { of }]) => of), ...beside.flatMap(([, more]) => more)])];
  const found = await measure(names, Number(options.rounds), await buildScripts(), (line) => console.log(line));
  for (const [key, { goal, of, figure }] of chosen) {
    const rounds = (found[of[0] as JobName] ?? []).map((_, round) => of.map((name) => found[name]?.[round] ?? NaN));
    results[key] = resultOf(
      goal,
      rounds.map((values) => figure(...values)),
    );
  }
  console.log(`\n${measured(found)}`);
}
for (const [key, { goal, door, use }] of Object.entries(sizeKeys).filter(([name]) => wanted(name))) {
  results[key] = resultOf(goal, [await sizeOf(door, use)]);
}

console.log(`\n${verdicts(results)}`);
writeResults(join(import.meta.dirname, '../results.json'), results);

function measured(found: Rounds): string {
  const rows = Object.entries(found).map(([name, values]) => {
    const { median, min, max } = spreadOf(values);
    return [name, ...[median, min, max].map((value) => value.toPrecision(3)), jobs[name as JobName].unit];
  });
  return table([['measured', 'median', 'min', 'max', ''], ...rows]);
}

function verdicts(all: Results): string {
  const rows = Object.entries(all).map(([key, result]) => [
    key,
    ...[result.median, result.min, result.max].map(String),
    result.goal,
    isMet(result) ? 'met' : 'short',
  ]);
  return table([['key', 'median', 'min', 'max', 'goal', ''], ...rows]);
}
