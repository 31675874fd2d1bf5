import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';

/** A server of somebody else's making, started for one test file. */
export interface StartedServer {
  readonly port: number;
  /** Ends the process and resolves when it is gone. */
  stop(): Promise<void>;
}

/** Where a program is: on PATH, or in one of the folders Debian keeps it in. */
export function findProgram(name: string, folders: readonly string[] = []): string | undefined {
  const places = [...(process.env['PATH'] ?? '').split(delimiter), ...folders];
  return places.map((folder) => join(folder, name)).find(isRunnable);
}

/** Debian's folders for PostgreSQL programs, newest first. */
export function postgresFolders(): string[] {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root) : [];
  return versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(root, version, 'bin'));
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A port nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export interface StartOptions {
  /** How to end it. @default 'SIGKILL' */
  readonly stopSignal?: NodeJS.Signals;
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A running program. */
export interface Started {
  /** Ends it and resolves when it is gone. */
  stop(): Promise<void>;
  /** Resolves when it has ended, by whatever hand. */
  readonly ended: Promise<void>;
}

/**
 * Starts a program and waits for the line that says it is ready.
 *
 * @throws Error with all it wrote, if it ends before that
 */
export async function start(
  command: string,
  args: readonly string[],
  isReady: RegExp,
  { stopSignal = 'SIGKILL', env = {} }: StartOptions = {},
): Promise<Started> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const killNow = (): void => void child.kill('SIGKILL');
  process.once('exit', killNow);
  let written = '';
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer): void => {
      written += chunk.toString();
      if (isReady.test(written)) resolve();
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${command} ended with ${code} before it was ready:\n${written}`)));
  });
  return {
    ended,
    async stop() {
      process.off('exit', killNow);
      child.kill(stopSignal);
      await ended;
    },
  };
}
