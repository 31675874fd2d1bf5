import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { launch } from '../browsers/launch.ts';
import { freePort } from '../browsers/free-port.ts';

/**
 * Builds an app of Next.js or SvelteKit with the package as npm would publish it, starts its server, and looks at what that
 * sends and what a browser makes of it: `npx tsx e2e/ssr-builds/run.ts next|sveltekit`, after `npm run build`. Not a part of
 * `npm test`: it installs some 300 MB.
 */
const apps: Readonly<Record<string, { readonly build: readonly string[]; readonly start: readonly string[] }>> = {
  next: { build: ['next', 'build'], start: ['next', 'start'] },
  sveltekit: { build: ['vite', 'build'], start: ['node', 'build/index.js'] },
};

const name = process.argv[2] ?? '';
const app = apps[name];
if (!app) throw new Error(`which one? ${Object.keys(apps).join(' or ')}`);
const folder = mkdtempSync(join(tmpdir(), `holdfast-${name}-`));
const run = (program: string, args: readonly string[], cwd = folder) =>
  execFileSync(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8', env });
const port = await freePort();
const env: NodeJS.ProcessEnv = {
  ...process.env,
  NODE_ENV: 'production',
  NEXT_TELEMETRY_DISABLED: '1',
  PORT: String(port),
  PATH: `${join(folder, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
};

const url = `http://localhost:${port}/`;
const empty = /<p[^>]*>\s*0 waiting, 0 submitted,\s+not ready/;

/** What the server sends, once it answers. */
async function served(tries = 100): Promise<string> {
  for (let left = tries; ; left -= 1) {
    try {
      return await (await fetch(url)).text();
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

try {
  cpSync(join(import.meta.dirname, name), folder, { recursive: true });
  const packed = run(
    'npm',
    ['pack', '--pack-destination', folder],
    resolve(import.meta.dirname, '../../packages/holdfast'),
  );
  const tarball = packed.trim().split('\n').at(-1) ?? '';
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `./${tarball}`]);
  const [builder = '', ...how] = app.build;
  console.log(run(builder, how));

  const [program = '', ...args] = app.start;
  const server = spawn(program, args, { cwd: folder, env, stdio: 'inherit', detached: true });
  try {
    const html = await served();
    if (!empty.test(html)) throw new Error(`the server did not draw an empty outbox:\n${html}`);
    const engine = await launch('chromium');
    try {
      await engine.open(url);
      await engine.waitFor(`/0 waiting, 0 submitted,\\s+ready/.test(document.querySelector('p').textContent)`);
      await engine.waitFor(`document.querySelector('outbox-panel').shadowRoot !== null`);
    } finally {
      await engine.close();
    }
    console.log(`${name}: drawn on the server, live in the browser`);
  } finally {
    if (server.pid) process.kill(-server.pid);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
