import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGroup } from './process-group.ts';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie whose parent has not looked yet is as dead as it gets.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

describe.skipIf(process.platform !== 'linux')('a process group', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'holdfast-group-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Writes its own number and that of a child, then both stay. */
  const program = (file: string) => `echo $$ > ${file}; sleep 600 & echo $! >> ${file}; wait`;
  const pids = async (file: string) => {
    await expect.poll(() => readLines(file), { timeout: 20_000 }).toHaveLength(2);
    return readLines(file).map(Number);
  };
  const readLines = (file: string) => {
    try {
      return readFileSync(file, 'utf8').split('\n').filter(Boolean);
    } catch {
      return [];
    }
  };

  it('ends with all that the program started', async () => {
    const file = join(folder, 'ended');
    const group = startGroup('sh', ['-c', program(file)]);
    const both = await pids(file);
    expect(both.map(isAlive)).toEqual([true, true]);
    await group.kill();
    await expect.poll(() => both.map(isAlive)).toEqual([false, false]);
  });

  it('does not outlive the process that started it, even one that is killed', async () => {
    const file = join(folder, 'orphaned');
    const script = `
      import { startGroup } from ${JSON.stringify(new URL('./process-group.ts', import.meta.url).href)};
      startGroup('sh', ['-c', ${JSON.stringify(program(file))}]);
      setInterval(() => {}, 1000);`;
    const starter = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      cwd: new URL('../..', import.meta.url).pathname,
      stdio: 'ignore',
    });
    const both = await pids(file);
    starter.kill('SIGKILL');
    await expect.poll(() => both.map(isAlive), { timeout: 10_000 }).toEqual([false, false]);
  });

  it('goes when the program ends by itself', async () => {
    const group = startGroup('sh', ['-c', 'sleep 600 & exit 0']);
    const pid = group.child.pid ?? 0;
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});
