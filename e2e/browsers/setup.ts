import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { debianPackages } from './debian-packages.ts';
import { type EngineName, engineNames } from './engine.ts';
import { findBrowser, findProgram } from './find-browsers.ts';

/**
 * Finds the browsers the tests drive and installs what is missing: `tsx e2e/browsers/setup.ts [engine…]`.
 * Ends with 1 when one is still missing, and has then said what to do.
 */

const isRoot = process.getuid?.() === 0;

/** Ubuntu has apt too, but its `chromium` and `firefox` packages are pointers to snaps, which tests cannot drive. */
function isDebian(): boolean {
  try {
    return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}

function run(command: string, args: readonly string[]): boolean {
  console.log(`$ ${command} ${args.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env }).status === 0;
}

function installFromDebian(engines: readonly EngineName[]): boolean {
  const packages = [...new Set(engines.flatMap((name) => debianPackages[name]))];
  return (
    run('apt-get', ['update', '-qq']) &&
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', '-o=Dpkg::Use-Pty=0', ...packages])
  );
}

function installFromPlaywright(engines: readonly EngineName[]): boolean {
  return run('npx', ['playwright', 'install', ...(isRoot ? ['--with-deps'] : []), ...engines]);
}

const isEngine = (name: string): name is EngineName => (engineNames as readonly string[]).includes(name);
const asked = process.argv.slice(2).filter(isEngine);
const wanted = asked.length > 0 ? asked : engineNames;
const missing = () => wanted.filter((name) => findBrowser(name) === undefined);

const absent = missing();
if (absent.length > 0) {
  const fromDebian = isDebian() && isRoot && findProgram('apt-get') !== undefined;
  if (fromDebian) installFromDebian(absent);
  else installFromPlaywright(absent);
}

for (const name of wanted) {
  const found = findBrowser(name);
  if (found) console.log(`${name}: ${found.path} (${found.from})`);
}

const stillAbsent = missing();
if (stillAbsent.length > 0) {
  const packages = [...new Set(stillAbsent.flatMap((name) => debianPackages[name]))].join(' ');
  console.error(
    `Missing: ${stillAbsent.join(', ')}. On Debian run as root: apt-get install ${packages}. ` +
      `Elsewhere run: npx playwright install --with-deps ${stillAbsent.join(' ')}`,
  );
  process.exitCode = 1;
}
