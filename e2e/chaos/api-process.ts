import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../browsers/free-port.ts';
import type { Effect } from './intent.ts';
import type { ToServer } from './server/main.ts';
import { fair, type Weather } from './server/weather.ts';

/** The API server and its ledger: a process of their own on one port for good. */
export interface ApiProcess {
  readonly url: string;
  /** What is served besides the API; change it, and the next visit gets the new release. */
  publish(files: Readonly<Record<string, string>>): Promise<void>;
  weather(weather: Weather): Promise<void>;
  /** Cuts every connection; the port refuses until `open`. */
  shut(): Promise<void>;
  /** Listens again, starting the process if it was killed. */
  open(): Promise<void>;
  /** SIGKILL in the middle of whatever it does. */
  kill(): Promise<void>;
  ledger(): Promise<readonly Effect[]>;
  /** How many lines it has. */
  count(): Promise<number>;
}

interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

const main = fileURLToPath(new URL('./server/main.ts', import.meta.url));

/** @param folder where the database is kept @param seed of the server's own dice */
export async function startApi(folder: string, seed: number): Promise<ApiProcess> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  let starts = 0;
  let asked = 0;
  let files: Readonly<Record<string, string>> = {};
  let weather = fair;
  const waiting = new Map<number, (reply: Reply) => void>();
  let turn: Promise<unknown> = Promise.resolve();
  /** One thing after another: a server is not started twice, nor stopped while it starts. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  }

  function ask(message: ToServer): Promise<unknown> {
    const id = (asked += 1);
    return new Promise((resolve, reject) => {
      waiting.set(id, ({ value, error }) => (error === undefined ? resolve(value) : reject(new Error(error))));
      child?.send({ id, message });
    });
  }

  async function start(): Promise<void> {
    // What a test runner sets would make it another program.
    const { VITEST: _, NODE_ENV: _env, ...env } = process.env;
    const args = [String(port), join(folder, 'ledger.db'), String(seed + (starts += 1))];
    const mine = fork(main, args, {
      execArgv: ['--import', 'tsx'],
      env,
      cwd: fileURLToPath(new URL('.', import.meta.url)),
    });
    child = mine;
    await new Promise<void>((ready, failed) => {
      waiting.set(0, () => ready());
      mine.once('exit', (code) => failed(new Error(`the API ended with ${code}`)));
      mine.on('message', (reply: Reply) => {
        waiting.get(reply.id)?.(reply);
        waiting.delete(reply.id);
      });
    });
    await ask({ do: 'serve', files });
    await ask({ do: 'weather', weather });
  }

  await start();
  await ask({ do: 'open' });
  const told = <Value>(what: 'ledger' | 'count'): Promise<Value> =>
    inTurn(async () => {
      if (!child) await start();
      return (await ask({ do: what })) as Value;
    });

  return {
    url: `http://localhost:${port}`,
    publish: (next) =>
      inTurn(async () => {
        files = next;
        if (child) await ask({ do: 'serve', files });
      }),
    weather: (next) =>
      inTurn(async () => {
        weather = next;
        if (child) await ask({ do: 'weather', weather });
      }),
    shut: () => inTurn(async () => void (child && (await ask({ do: 'shut' })))),
    open: () =>
      inTurn(async () => {
        if (!child) await start();
        await ask({ do: 'open' });
      }),
    kill: () =>
      inTurn(async () => {
        const dying = child;
        child = undefined;
        if (!dying || dying.exitCode !== null || dying.signalCode !== null) return;
        const gone = new Promise((resolve) => dying.once('exit', resolve));
        dying.kill('SIGKILL');
        await gone;
      }),
    ledger: () => told<Effect[]>('ledger'),
    count: () => told<number>('count'),
  };
}
