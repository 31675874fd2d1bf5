import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, freePort, postgresFolders, start } from './start-server';
import type { StartedServer } from './start-server';

/** Why PostgreSQL cannot be started here; `undefined` if it can. */
export function whyNoPostgres(): string | undefined {
  for (const name of ['initdb', 'postgres']) {
    if (!findProgram(name, postgresFolders())) return `no ${name} on PATH or in /usr/lib/postgresql`;
  }
  return isRoot() && !otherUser()
    ? 'PostgreSQL refuses to run as root, and there is no other user to run it as'
    : undefined;
}

/** A fresh PostgreSQL in a temporary folder; user and database are both `postgres`, without a password. */
export async function startPostgres(): Promise<StartedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-postgres-'));
  const as = isRoot() ? (otherUser() as string) : undefined;
  if (as !== undefined) execFileSync('chown', [as, folder]);
  const data = join(folder, 'data');
  const program = (name: string): string => findProgram(name, postgresFolders()) as string;
  const port = await freePort();
  const set = (name: string, value: string): string[] => ['-c', `${name}=${value}`];
  const make = ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const [initdb, makeArgs] = withUser(as, program('initdb'), make);
  execFileSync(initdb, makeArgs, { stdio: 'pipe', cwd: folder });
  const [postgres, args] = withUser(as, program('postgres'), [
    ...['-D', data, '-p', String(port), '-k', folder],
    ...set('listen_addresses', '127.0.0.1'),
    ...set('fsync', 'off'),
    ...set('max_connections', '60'),
    ...set('shared_buffers', '32MB'),
  ]);
  const started = await start(postgres, args, /ready to accept connections/, { stopSignal: 'SIGQUIT' });
  return {
    port,
    async stop() {
      await started.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function otherUser(): string | undefined {
  return ['postgres', 'nobody'].find((name) => {
    try {
      execFileSync('id', ['-u', name], { stdio: 'pipe' });
      return findProgram('setpriv') !== undefined;
    } catch {
      return false;
    }
  });
}

/** `setpriv` becomes the program, so that its process is ours to end. */
function withUser(user: string | undefined, program: string, args: string[]): [string, string[]] {
  if (user === undefined) return [program, args];
  return ['setpriv', [`--reuid=${user}`, `--regid=${groupOf(user)}`, '--clear-groups', program, ...args]];
}

function groupOf(user: string): string {
  return execFileSync('id', ['-g', user], { encoding: 'utf8' }).trim();
}
