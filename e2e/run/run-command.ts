import { spawn } from 'node:child_process';

export interface CommandResult {
  readonly ok: boolean;
  readonly output: string;
  readonly tookMs: number;
}

export interface CommandOptions {
  readonly cwd: string;
  readonly limitMs: number;
  /** Print while it runs. @default false */
  readonly live?: boolean | undefined;
}

// Colour only where someone looks at it; tools cannot tell, since they print to us.
const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1', FORCE_COLOR: undefined };

/**
 * Runs a program to its end and keeps what it prints. It gets no input and leads a process group of its own, so that
 * one that hangs can be ended with all it started.
 */
export function runCommand(command: string, args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const startedAt = Date.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...colours },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    const take = (chunk: string) => {
      output += chunk;
      if (options.live) process.stdout.write(chunk);
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);

    const endGroup = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch (error) {
        // The group is gone already.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    };
    const timer = setTimeout(() => {
      take(`\nended after ${options.limitMs / 1000} s without a result\n`);
      endGroup();
    }, options.limitMs);
    process.once('exit', endGroup);

    const finish = (ok: boolean) => {
      clearTimeout(timer);
      process.off('exit', endGroup);
      // What a step left running must not disturb the next one.
      endGroup();
      resolve({ ok, output, tookMs: Date.now() - startedAt });
    };
    child.once('error', (error) => {
      take(`${error.message}\n`);
      finish(false);
    });
    child.once('close', (code) => finish(code === 0));
  });
}
