// Builds what the demo runs on: both packages, then the shell. Nothing is done when nothing has changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const home = import.meta.dirname;
const root = resolve(home, '..');
const packages = ['packages/holdfast', 'packages/holdfast-server'];
const sources = ['pnpm-lock.yaml', 'vite.config.ts', 'tsconfig.base.json', ...packages, 'demo-pwa'].map((name) =>
  join(root, name),
);
/** Others build the packages too, so what came out is looked at as well. */
const results = [...packages, 'demo-pwa'].map((folder) => join(root, folder, 'dist'));
const cache = join(home, 'node_modules/.cache/demo');
const stamp = join(cache, 'built');
const lock = join(cache, 'lock');

/** Builds where needed; two starts at once build one after the other. */
export async function build() {
  mkdirSync(cache, { recursive: true });
  await locked(() => {
    // Taken before the build: what changes during it is not in it.
    const from = digest(sources);
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === `${from} ${digest(results)}`) return;
    rmSync(stamp, { force: true });
    console.log('Building the packages and the demo (only when something has changed) …');
    for (const folder of packages) run('tsdown', [], join(root, folder));
    run('vite', ['build', '--config', '../vite.config.ts', '--logLevel', 'warn'], home);
    writeFileSync(stamp, `${from} ${digest(results)}`);
  });
}

/** Runs a tool of this workspace with this Node, which is the same on every system. */
function run(tool, args, cwd) {
  const require = createRequire(join(root, 'package.json'));
  const manifest = require.resolve(`${tool}/package.json`);
  const { bin } = require(manifest);
  const script = join(dirname(manifest), typeof bin === 'string' ? bin : bin[tool]);
  // A test runner that starts the demo must not have it built for tests.
  const env = { ...process.env, VITEST: '', NODE_ENV: 'production' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { cwd, env, encoding: 'utf8' });
  if (status === 0) return;
  console.error(stdout, stderr);
  throw new Error(`Could not build ${relative(root, cwd)}: ${tool} ended with ${status}.`);
}

function digest(paths) {
  const hash = createHash('sha256').update(process.version);
  for (const file of paths.flatMap(filesOf)) {
    hash.update(`${relative(root, file)}\0`);
    hash.update(readFileSync(file));
    hash.update('\0');
  }
  return hash.digest('hex');
}

function filesOf(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  const inside = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return inside
    .filter(({ name }) => !/^(node_modules|dist|\.data|coverage)$|\.test\.ts$|^\./.test(name) || path.endsWith('dist'))
    .flatMap(({ name }) => filesOf(join(path, name)));
}

/** One build at a time on this machine. A lock whose owner is gone is taken over. */
async function locked(work) {
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (!isAlive(Number(ownerOf(lock)))) rmSync(lock, { force: true });
      else await wait(200);
    }
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function ownerOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid) {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

if (process.argv[1] === import.meta.filename) await build();
