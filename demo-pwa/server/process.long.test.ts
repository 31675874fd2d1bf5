import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientOf, draft, type Rig } from './testing';

const home = resolve(import.meta.dirname, '..');
let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-demo-'));
});
afterEach(async () => {
  await Promise.all(children.splice(0).map(end));
  rmSync(folder, { recursive: true });
});

/** A demo in a process of its own, on this test's database. Resolves with its URL, or with what it said on its way out. */
async function launch(env: Record<string, string> = {}): Promise<{ url: string; said: string; code: number | null }> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(home, 'server/serve.ts')], {
    cwd: home,
    env: {
      ...process.env,
      TSX_TSCONFIG_PATH: join(home, 'tsconfig.server.json'),
      HOLDFAST_DATA: folder,
      PORT: '0',
      ...env,
    },
  });
  children.push(child);
  let said = '';
  return new Promise((known) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString();
      const url = /Holdfast demo: (http:\/\/localhost:\d+)\n/.exec(said)?.[1];
      if (url !== undefined) known({ url, said, code: null });
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => known({ url: '', said, code }));
  });
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((ended) => {
    child.once('exit', () => ended());
    child.kill();
  });
}

async function occupied(): Promise<{ port: number; server: Server }> {
  const server = createServer();
  await new Promise<void>((bound) => server.listen(0, '127.0.0.1', bound));
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : 0, server };
}

// Starting a process takes seconds where the machine is busy.
describe('the demo as a process', { timeout: 60_000 }, () => {
  it('has one effect when it is killed right after the commit, and then gives the answer it never gave', async () => {
    const first = clientOf((await launch()).url);
    await first.faults('crash');
    await expect(first.send('PUT', '/api/notes/n1', 'k1', draft, { 'if-none-match': '*' })).rejects.toThrow();

    const second: Omit<Rig, 'close'> = clientOf((await launch()).url);
    expect(await second.ledger()).toMatchObject([{ key: 'k1', effect: 'note-created' }]);
    const again = await second.send('PUT', '/api/notes/n1', 'k1', draft, { 'if-none-match': '*' });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(await second.ledger()).toHaveLength(1);
  });

  it('says that the port asked for is taken, and ends', async () => {
    const { port, server } = await occupied();
    const { said, code } = await launch({ PORT: String(port) });
    server.close();
    expect(said).toContain(`Port ${port} is taken. Choose another`);
    expect(code).toBe(1);
  });

  it('works beside a second one on the same database', async () => {
    const [one, two] = (await Promise.all([launch(), launch()])).map(({ url }) => clientOf(url)) as [Rig, Rig];
    const answers = await Promise.all(
      [one, two, one, two].map((demo) => demo.send('POST', '/api/notes', 'same', draft)),
    );
    for (const { status } of answers) expect([201, 409]).toContain(status);
    expect(await two.notes()).toHaveLength(1);
    expect(await one.ledger()).toHaveLength(1);
  });

  it('ends when told to, although a request hangs', async () => {
    const { url } = await launch();
    await clientOf(url).faults('hang');
    const hanging = fetch(`${url}/api/notes`).catch(() => 'cut');
    const child = children[0] as ChildProcess;
    await end(child);
    expect(child.exitCode).toBe(0);
    expect(await hanging).toBe('cut');
  });
});
