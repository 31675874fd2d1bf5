import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../packages/holdfast-server/src/testing/start-postgres.ts';
import { startRedis } from '../../packages/holdfast-server/src/testing/start-redis.ts';
import { contenders, nameOf } from './contenders.ts';
import type { Contender } from './contenders.ts';
import { load } from './load.ts';
import { comparisonsOf } from './compare.ts';
import type { Measured } from './compare.ts';
import type { Places, StoreName } from './stores.ts';

/**
 * Requests per second of each contender, in rounds: in every round each is measured once, in another order each time, and
 * only what was measured in the same round is compared. What disturbs the machine for a while disturbs all alike.
 *
 * `ROUNDS`, `SECONDS` (each contender, each round) and `ONLY` (parts of names, between commas) may be set. Of what `ONLY`
 * chooses, the bare one of its door is measured, too, and no server is started that nobody asks.
 */
const rounds = Number(process.env['ROUNDS'] ?? 9);
const forMs = Number(process.env['SECONDS'] ?? 1) * 1_000;
const only = process.env['ONLY']?.split(',');
const connections = 32;

const named = contenders.filter((one) => !only || only.some((part) => nameOf(one).includes(part)));
const chosen = contenders.filter(
  (one) => named.includes(one) || (one.guarding === 'bare' && named.some(({ door }) => door === one.door)),
);
const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
const needs = (store: StoreName): boolean => chosen.some((one) => one.store === store);
const [redis, postgres] = await Promise.all([needs('redis') && startRedis(), needs('postgres') && startPostgres()]);
const places: Places = {
  folder,
  redisPort: redis ? redis.port : 0,
  postgresPort: postgres ? postgres.port : 0,
};
const servers: Running[] = [];

interface Running {
  readonly contender: Contender;
  readonly child: ChildProcess;
  readonly port: number;
}

async function startOne(contender: Contender): Promise<Running> {
  const script = new URL('./serve.ts', import.meta.url);
  const child = fork(script, [JSON.stringify({ contender, places })], { execArgv: ['--import', 'tsx'] });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { contender, child, port };
}

async function cpuUs(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [{ cpuUs: used }] = (await once(child, 'message')) as [{ cpuUs: number }];
  return used;
}

async function measureOne({ contender, child, port }: Running): Promise<Measured> {
  const before = await cpuUs(child);
  const { answers, tookMs } = await load({ port, connections, forMs });
  const used = (await cpuUs(child)) - before;
  return { name: nameOf(contender), perSecond: (answers / tookMs) * 1_000, cpuUs: used / answers };
}

try {
  for (const contender of chosen) servers.push(await startOne(contender));
  for (const server of servers) await load({ port: server.port, connections, forMs, atLeast: 10_000 }); // warms up
  const all: Measured[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const turned = servers.map((_, at) => servers[(at + round) % servers.length] as Running);
    const measured: Measured[] = [];
    for (const server of round % 2 ? turned.reverse() : turned) measured.push(await measureOne(server));
    all.push(measured);
    process.stderr.write(`round ${round + 1} of ${rounds}\n`);
  }
  const results = comparisonsOf(all, chosen);
  for (const [name, { median, min, max }] of Object.entries(results)) {
    process.stdout.write(`${name.padEnd(52)} ${median} (${min} to ${max})\n`);
  }
  if (only === undefined) {
    writeFileSync(new URL('../results-server.json', import.meta.url), `${JSON.stringify(results, null, 2)}\n`);
  }
} finally {
  for (const { child } of servers) child.disconnect();
  await Promise.all([redis && redis.stop(), postgres && postgres.stop()]);
  rmSync(folder, { recursive: true, force: true });
}
