import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { engineNames, type EngineName } from '../browsers/engine.ts';
import type { Library } from './build-app.ts';
import { play } from './play.ts';

/*
 * `pnpm chaos --engine chromium|firefox|webkit --rounds N --seed S`: see docs/chaos.md. The report is the last line on stdout
 * and in `report-<engine>.json`; what happens meanwhile goes to stderr. Ends with 1 when a promise was broken.
 */

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'chromium' },
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    library: { type: 'string', default: 'holdfast' },
  },
});

function oneOf<Name extends string>(option: string, given: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === given);
  if (found !== undefined) return found;
  console.error(`--${option} must be one of ${names.join(', ')}, got "${given}"`);
  process.exit(2);
}

function wholeNumber(option: string, given: string): number {
  if (/^\d{1,10}$/.test(given)) return Number(given);
  console.error(`--${option} must be a whole number from 0, got "${given}"`);
  process.exit(2);
}

const engine: EngineName = oneOf('engine', values.engine, engineNames);
const library: Library = oneOf('library', values.library, ['holdfast', 'workbox']);
const rounds = wholeNumber('rounds', values.rounds);
const seed = wholeNumber('seed', values.seed);

const say = (line: string): void => console.error(`${Math.round(performance.now() / 1000)} s  ${line}`);
const { report, findings, evidence } = await play({ engine, rounds, seed, library, say });
const name = library === 'holdfast' ? engine : `${engine}-${library}`;
const file = (what: string): string => fileURLToPath(new URL(`report-${name}${what}.json`, import.meta.url));
writeFileSync(file(''), `${JSON.stringify(report, null, 2)}\n`);
if (findings.length > 0) {
  for (const finding of findings.slice(0, 50)) console.error(finding);
  writeFileSync(file('-evidence'), JSON.stringify({ seed, findings, ...evidence }));
}
console.log(JSON.stringify(report));
process.exitCode = findings.length > 0 ? 1 : 0;
