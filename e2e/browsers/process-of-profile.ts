import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** A process that ended while we looked has no line. */
function readProc(pid: string): Process[] {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    // The name in brackets may hold anything; the parent is the second field after the last bracket.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields[0] === 'Z' ? [] : [{ pid: Number(pid), parent: Number(fields[1]), command }];
  } catch {
    return [];
  }
}

function processes(): Process[] {
  // Slim Linux machines have /proc but no `ps`.
  if (process.platform === 'linux')
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(readProc);
  const lines = execFileSync('ps', ['-axww', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
    return match ? [{ pid: Number(match[1]), parent: Number(match[2]), command: match[3] ?? '' }] : [];
  });
}

/** The processes started with this profile folder on their command line; the browser itself first. */
function processesOf(profile: string): number[] {
  const ours = processes().filter(({ command, pid }) => command.includes(profile) && pid !== process.pid);
  const pids = new Set(ours.map(({ pid }) => pid));
  const isMain = (one: Process) => !pids.has(one.parent);
  return [...ours.filter(isMain), ...ours.filter((one) => !isMain(one))].map(({ pid }) => pid);
}

/** SIGKILL for a browser found by its profile folder; resolves when the last of its processes is gone. */
export async function killProcessesOf(profile: string): Promise<void> {
  const deadlineAt = Date.now() + 10_000;
  for (let pids = processesOf(profile); pids.length > 0; pids = processesOf(profile)) {
    if (Date.now() > deadlineAt) throw new Error(`processes ${pids.join(', ')} of ${profile} do not end`);
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
    await pause(25);
  }
}
