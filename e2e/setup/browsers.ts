import { type EngineName, engineNames } from '../browsers/engine.ts';
import { findBrowser } from '../browsers/find-browsers.ts';
import { browserPackages } from './browser-packages.ts';
import { canInstall, installPackages, isRoot, run } from './debian.ts';

/**
 * Finds the browsers the tests drive and installs what is missing: `tsx e2e/setup/browsers.ts [engine…]`.
 * Ends with 1 when one is still missing, and has then said what to do.
 */

const isEngine = (name: string): name is EngineName => (engineNames as readonly string[]).includes(name);
const asked = process.argv.slice(2).filter(isEngine);
const wanted = asked.length > 0 ? asked : engineNames;
const missing = () => wanted.filter((name) => findBrowser(name) === undefined);

const absent = missing();
if (absent.length > 0) {
  if (canInstall) installPackages(absent.flatMap((name) => browserPackages[name]));
  else run('npx', ['playwright', 'install', ...(isRoot ? ['--with-deps'] : []), ...absent]);
}

for (const name of wanted) {
  const found = findBrowser(name);
  if (found) console.log(`${name}: ${found.path} (${found.from})`);
}

const stillAbsent = missing();
if (stillAbsent.length > 0) {
  const packages = [...new Set(stillAbsent.flatMap((name) => browserPackages[name]))].join(' ');
  console.error(
    `Missing: ${stillAbsent.join(', ')}. On Debian run as root: apt-get install ${packages}. ` +
      `Elsewhere run: npx playwright install --with-deps ${stillAbsent.join(' ')}`,
  );
  process.exitCode = 1;
}
