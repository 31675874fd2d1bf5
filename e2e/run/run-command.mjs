import { spawn } from 'node:child_process';

// Colour only where someone looks at it; tools cannot tell, since they print to us.
const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1', FORCE_COLOR: undefined };

/**
 * Runs a program to its end and keeps what it prints. It gets no input and leads a process group of its own, so that
 * one that hangs can be ended with all it started.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, limitMs: number, live?: boolean }} options
 *   `live` prints while it runs
 * @returns {Promise<{ ok: boolean, output: string, tookMs: number }>}
 */
export function runCommand(command, args, { cwd, limitMs, live = false }) {
  const startedAt = Date.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...colours },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    const take = (chunk) => {
      output += chunk;
      if (live) process.stdout.write(chunk);
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);

    const endGroup = () => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The group is gone already.
      }
    };
    const timer = setTimeout(() => {
      take(`\nended after ${limitMs / 1000} s without a result\n`);
      endGroup();
    }, limitMs);
    process.once('exit', endGroup);

    const finish = (ok) => {
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
