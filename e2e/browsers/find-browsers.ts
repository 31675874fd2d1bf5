import { execFileSync } from 'node:child_process';
import { chromium, firefox, webkit } from 'playwright';
import type { EngineName } from './engine.ts';
import { canRun, findProgram } from './find-program.ts';

/** Where an engine was found: installed by the system, or one of Playwright's own downloads. */
export interface Found {
  readonly name: EngineName;
  readonly from: 'system' | 'playwright';
  readonly path: string;
}

/** The system's Python: another one in PATH would not see the system's GObject bindings. */
export const systemPython = '/usr/bin/python3';

const webkitGtkCheck = "import gi; gi.require_version('Gtk', '3.0'); gi.require_version('WebKit2', '4.1')";

function hasWebKitGtk(): boolean {
  if (!findProgram('WebKitWebDriver') || !findProgram('Xvfb') || !canRun(systemPython)) return false;
  try {
    execFileSync(systemPython, ['-c', webkitGtkCheck], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

// Debian calls it `chromium`; a Chrome will do. Ubuntu's `chromium-browser` only tells where to get a snap.
const systemPath: Record<EngineName, () => string | undefined> = {
  chromium: () => ['chromium', 'google-chrome'].map(findProgram).find((path) => path !== undefined),
  firefox: () => findProgram('firefox-esr'),
  webkit: () => (hasWebKitGtk() ? findProgram('WebKitWebDriver') : undefined),
};

const playwrightTypes = { chromium, firefox, webkit };

/** Looks for one engine, the system's first. */
export function findBrowser(name: EngineName): Found | undefined {
  const path = systemPath[name]();
  if (path !== undefined) return { name, from: 'system', path };
  const own = playwrightTypes[name].executablePath();
  return own !== '' && canRun(own) ? { name, from: 'playwright', path: own } : undefined;
}

/** @throws Error naming the command that installs what is missing */
export function needBrowser(name: EngineName): Found {
  const found = findBrowser(name);
  if (!found) throw new Error(`${name} is not installed; run: npx tsx e2e/setup/browsers.ts ${name}`);
  return found;
}
