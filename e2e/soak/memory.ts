import { readdirSync, readFileSync } from 'node:fs';

/** Memory of a browser and all its processes, each shared page counted once, in bytes. Linux only; 0 elsewhere. */
export function memoryOf(profile: string): number {
  if (process.platform !== 'linux') return 0;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(pids.map((pid) => [pid, read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[1] ?? '']));
  const isOurs = (pid: string | undefined): boolean =>
    pid !== undefined &&
    Number(pid) > 1 &&
    Number(pid) !== process.pid &&
    (read(`/proc/${pid}/cmdline`).includes(profile) || isOurs(parents.get(pid)));
  return pids.filter(isOurs).reduce((sum, pid) => sum + proportional(pid), 0);
}

function proportional(pid: string): number {
  const kilobytes = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1];
  return Number(kilobytes ?? 0) * 1_024;
}

/** A process that ended while we looked has nothing to say. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
