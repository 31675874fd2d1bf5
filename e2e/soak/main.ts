import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { soak } from './soak.ts';

/*
 * `pnpm soak --entries 100000 --tabs 20 [--shown 1]`: see docs/chaos.md. The report is the last line on stdout and in `report.json`; what
 * happens meanwhile goes to stderr. Ends with 1 when something did not arrive exactly once and in order.
 */

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '100000' },
    tabs: { type: 'string', default: '20' },
    shown: { type: 'string', default: '1' },
  },
});

function wholeNumber(option: string, given: string): number {
  if (/^[1-9]\d{0,6}$/.test(given)) return Number(given);
  console.error(`--${option} must be a whole number from 1 to 9,999,999, got "${given}"`);
  process.exit(2);
}

const say = (line: string): void => console.error(`${Math.round(performance.now() / 1000)} s  ${line}`);
const entries = wholeNumber('entries', values.entries);
const [tabs, shown] = [wholeNumber('tabs', values.tabs), wholeNumber('shown', values.shown)];
const report = await soak({ entries, tabs, shown, say });
writeFileSync(fileURLToPath(new URL('report.json', import.meta.url)), `${JSON.stringify(report, null, 2)}\n`);
for (const fault of report.faults.slice(0, 50)) console.error(fault);
console.log(JSON.stringify(report));
process.exitCode = report.faults.length > 0 ? 1 : 0;
