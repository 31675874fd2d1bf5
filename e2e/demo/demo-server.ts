import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../browsers/free-port.ts';

export type FaultMode =
  | 'ok'
  | 'refuse'
  | 'reset-before'
  | 'reset-after'
  | 'hang'
  | '503'
  | '429'
  | '500'
  | 'captive'
  | 'slow';

export interface Effect {
  readonly seq: number;
  readonly key: string | null;
  readonly method: string;
  readonly path: string;
}

/** The demo in a process of its own, on one port for good, with a database of its own. */
export interface DemoServer {
  readonly url: string;
  /** Starts it, or starts it again on the same port with the same data. Resolves when it says that it is ready. */
  start(): Promise<void>;
  /** SIGKILL: nothing is said, nothing is finished. */
  kill(): Promise<void>;
  faults(mode: FaultMode, more?: Readonly<Record<string, unknown>>): Promise<void>;
  ledger(): Promise<readonly Effect[]>;
  get(path: string): Promise<Response>;
  /** Ends it and removes its data. */
  close(): Promise<void>;
}

const home = resolve(import.meta.dirname, '../../demo-pwa');

export async function demoServer(): Promise<DemoServer> {
  const port = await freePort();
  const data = mkdtempSync(join(tmpdir(), 'holdfast-demo-'));
  const url = `http://localhost:${port}/`;
  let child: ChildProcess | undefined;

  async function kill(): Promise<void> {
    const dying = child;
    child = undefined;
    if (!dying || dying.exitCode !== null) return;
    const gone = new Promise((done) => dying.once('exit', done));
    dying.kill('SIGKILL');
    await gone;
  }

  return {
    url,
    async start() {
      // Without what the test runner sets: with it, the demo would be built for tests.
      const { VITEST: _, NODE_ENV: _env, ...plain } = process.env;
      const env = { ...plain, PORT: String(port), HOLDFAST_DATA: data };
      const mine = spawn(process.execPath, ['start.mjs'], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
      child = mine;
      await new Promise<void>((ready, failed) => {
        let said = '';
        const hear = (chunk: Buffer): void => {
          said += chunk.toString();
          if (said.includes(`Holdfast demo: http://localhost:${port}`)) ready();
        };
        mine.stdout.on('data', hear);
        mine.stderr.on('data', hear);
        mine.once('exit', (code) => failed(new Error(`the demo ended with ${code}: ${said}`)));
      });
    },
    kill,
    async faults(mode, more = {}) {
      const body = JSON.stringify({ mode, ...more });
      const answer = await fetch(`${url}__faults`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body,
      });
      if (!answer.ok) throw new Error(`the demo refused the fault "${mode}": ${await answer.text()}`);
    },
    ledger: async () => (await (await fetch(`${url}__ledger`)).json()) as Effect[],
    get: (path) => fetch(new URL(path, url)),
    async close() {
      await kill();
      rmSync(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}
