// Compares retry policies (docs/simulation.md): `npx -y pnpm@12.4.2 simulate`, with `--help` for scenarios of your own.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { format } from 'oxfmt';
import type { Outage, ScenarioChanges } from '../../packages/holdfast/src/testing/index.ts';
import { allPolicies, compare, compareAll } from './comparisons.ts';
import { pageOf } from './page.ts';
import { picturesOf } from './pictures.ts';
import { policyTable, rankTable } from './tables.ts';

const help = `Without options: runs all comparisons and writes docs/simulation.md and its pictures.
With any of these: compares all policies in one scenario and prints a table.
  --clients N       browsers with an outbox (1000)
  --requests N      writes of each (2)
  --outage S        how long the server is down, seconds (60)
  --status N        what it answers meanwhile (502); "unreachable": fetch rejects; "hangs": nothing comes back
  --retry-after S   Retry-After it answers with, seconds (none)
  --capacity N      requests a second it can do once it is back (50)
  --seed N          where the dice start (1)`;

const { values } = parseArgs({
  options: {
    clients: { type: 'string' },
    requests: { type: 'string' },
    outage: { type: 'string' },
    status: { type: 'string' },
    'retry-after': { type: 'string' },
    capacity: { type: 'string' },
    seed: { type: 'string' },
    help: { type: 'boolean' },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);

if (values.help) say(help);
else if (Object.keys(values).length > 0)
  say(await tidy(policyTable(compare(scenarioOf(), allPolicies, numberOf('seed', 1)))));
else await writeAll();

async function writeAll(): Promise<void> {
  const docs = resolve(import.meta.dirname, '..');
  const all = compareAll();
  for (const [name, lines] of Object.entries({
    restart: all.restart,
    overload: all.overload,
    reconnect: all.reconnect,
  })) {
    say(`\n${name}\n\n${await tidy(policyTable(lines))}`);
  }
  say(`\nthe choice\n\n${await tidy(rankTable(all.ranks))}`);
  const file = join(docs, 'simulation.md');
  writeFileSync(file, await formatted(pageOf(all)));
  for (const [name, picture] of Object.entries(picturesOf(all))) writeFileSync(join(docs, 'pictures', name), picture);
  say('\nWrote docs/simulation.md and docs/pictures/simulation-*.svg');
}

function scenarioOf(): ScenarioChanges {
  return {
    outage: outageOf(values.status ?? '502'),
    clients: numberOf('clients', 1_000),
    requestsPerClient: numberOf('requests', 2),
    outageMs: numberOf('outage', 60) * 1_000,
    server: { perSecond: numberOf('capacity', 50) },
  };
}

function outageOf(status: string): Outage {
  if (status === 'hangs') return { kind: 'hangs' };
  if (status === 'unreachable') return { kind: 'unreachable', onlineHint: true };
  const asks = values['retry-after'] !== undefined && { retryAfterMs: numberOf('retry-after', 0) * 1_000 };
  return { kind: 'answers', status: numberOf('status', 502), ...asks };
}

function numberOf(name: Exclude<keyof typeof values, 'help'>, otherwise: number): number {
  const given = Number(values[name] ?? otherwise);
  if (Number.isFinite(given)) return given;
  throw new Error(`--${name} must be a number, got "${values[name]}"; see --help`);
}

/** Columns of one width, as in the page. */
async function tidy(markdown: string): Promise<string> {
  return (await formatted(markdown)).trimEnd();
}

/** Markdown as `npm run format` wants it (`.oxfmtrc.json`), its lines filled. */
async function formatted(markdown: string): Promise<string> {
  const manner = { singleQuote: true, printWidth: 120 };
  const { code, errors } = await format('simulation.md', markdown, { ...manner, proseWrap: 'always' });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return code;
}
