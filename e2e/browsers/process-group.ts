import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';

export interface ProcessGroup {
  readonly child: ChildProcess;
  /** SIGKILL for the program and everything it started. Resolves when they are gone. */
  kill(): Promise<void>;
}

// The shell leads a group of its own and holds our pipe: when it reads the end of it, we have closed it or are gone,
// however we went, and the whole group goes too. When the program ends first, so does the group.
const keeper = '( "$@"; kill -KILL 0 ) </dev/null & read -r _; kill -KILL 0';

/** Starts a program that cannot outlive this process, whatever ends this one. */
export function startGroup(
  command: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; extraPipe?: boolean; verbose?: boolean } = {},
): ProcessGroup {
  const out = options.verbose ? 'inherit' : 'ignore';
  const stdio: StdioOptions = options.extraPipe ? ['pipe', out, out, 'pipe'] : ['pipe', out, out];
  const child = spawn('sh', ['-c', keeper, 'sh', command, ...args], {
    stdio,
    detached: true,
    env: options.env ?? process.env,
  });
  child.unref();
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    child,
    kill: async () => {
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
        try {
          process.kill(-child.pid, 'SIGKILL');
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
        }
        await gone;
      }
    },
  };
}
