import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Copies the built shell to where this process serves it from: building it anew empties its folder, under a demo that may
 * be running. What processes that are gone have left is removed.
 *
 * @param data the demo's own folder
 * @returns    the copy's folder, empty where nothing is built
 */
export function shellCopy(built: string, data: string): string {
  const copies = join(data, 'shells');
  mkdirSync(copies, { recursive: true });
  for (const pid of readdirSync(copies)) {
    if (!isAlive(Number(pid))) rmSync(join(copies, pid), { recursive: true, force: true });
  }
  const copy = join(copies, String(process.pid));
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy);
  if (existsSync(built)) cpSync(built, copy, { recursive: true });
  return copy;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
