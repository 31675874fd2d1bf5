import type { Readable } from 'node:stream';
import { startGroup } from './process-group.ts';

export interface Display {
  /** For the environment variable `DISPLAY`. */
  readonly name: string;
  stop(): Promise<void>;
}

/** An X server with no screen; it chooses its own number, so that several can run. */
export async function startXvfb(): Promise<Display> {
  const args = ['-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'];
  const group = startGroup('Xvfb', args, { extraPipe: true });
  const numbers = group.child.stdio[3] as Readable;
  const name = await new Promise<string>((resolve, reject) => {
    let text = '';
    numbers.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(`:${text.trim()}`);
    });
    group.child.once('exit', () => reject(new Error('Xvfb ended before it had a display')));
  });
  return { name, stop: () => group.kill() };
}
