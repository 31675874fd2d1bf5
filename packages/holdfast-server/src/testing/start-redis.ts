import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, freePort, start } from './start-server';
import type { StartedServer } from './start-server';

const names = ['redis-server', 'valkey-server'];

/** Why Redis cannot be started here; `undefined` if it can. */
export function whyNoRedis(): string | undefined {
  return names.some((name) => findProgram(name)) ? undefined : `neither ${names.join(' nor ')} is on PATH`;
}

/** A fresh Redis on a free port, or on `port`; it writes nothing to disk. */
export async function startRedis(port?: number): Promise<StartedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-redis-'));
  const used = port ?? (await freePort());
  const program = names.map((name) => findProgram(name)).find((path) => path !== undefined) as string;
  const args = ['--port', String(used), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const started = await start(program, args, /Ready to accept connections/);
  return {
    port: used,
    async stop() {
      await started.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
