import { join, resolve } from 'node:path';
import { app } from './app';
import { openDatabase } from './database';
import { isTaken, listen, listener, type Listening } from './listen';
import { shellCopy } from './shell-copy';

const home = resolve(import.meta.dirname, '..');
const defaultPort = 4310;

/**
 * Starts the demo and says where it is.
 *
 * @param env `PORT`: this port or none. `HOLDFAST_DATA`: where the database is kept. @default demo-pwa/.data
 * @throws Error whose message is for the person at the terminal
 */
export async function start(env: Readonly<Record<string, string | undefined>>): Promise<Listening> {
  const wish = readPort(env.PORT);
  const data = env.HOLDFAST_DATA ? resolve(env.HOLDFAST_DATA) : join(home, '.data');
  const db = openDatabase(data);
  const shell = shellCopy(join(home, 'dist'), data);
  const whole = app({ db, shell });
  const listening = await listen(listener(whole), wish).catch((error: unknown) => {
    db.close();
    if (isTaken(error) && 'port' in wish) {
      throw new Error(`Port ${wish.port} is taken. Choose another: PORT=${wish.port + 1} npm run demo`, {
        cause: error,
      });
    }
    throw error;
  });
  console.log(`Holdfast demo: http://localhost:${listening.port}`);
  return {
    port: listening.port,
    close: async () => {
      await listening.close();
      db.close();
    },
  };
}

function readPort(text: string | undefined): { port: number } | { from: number } {
  if (text === undefined || text === '') return { from: defaultPort };
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`PORT must be a number from 0 to 65535, got "${text}".`);
  return { port };
}
