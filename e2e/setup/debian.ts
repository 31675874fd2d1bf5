import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findProgram } from '../browsers/find-program.ts';

export const isRoot = process.getuid?.() === 0;

/** Ubuntu has apt too, but its `chromium` and `firefox` packages are pointers to snaps, which tests cannot drive. */
function isDebian(): boolean {
  try {
    return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}

/** Whether packages can be installed here without asking anyone. */
export const canInstall = isRoot && isDebian() && findProgram('apt-get') !== undefined;

/** Runs a program in the open; it gets no input, so that nothing waits for an answer. */
export function run(command: string, args: readonly string[]): boolean {
  console.log(`$ ${command} ${args.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env }).status === 0;
}

export function installPackages(packages: readonly string[]): boolean {
  const options = ['-y', '-qq', '--no-install-recommends', '-o=Dpkg::Use-Pty=0'];
  return run('apt-get', ['update', '-qq']) && run('apt-get', ['install', ...options, ...new Set(packages)]);
}
