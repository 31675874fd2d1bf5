import { firefox } from 'playwright';
import type { LaunchOptions } from './engine.ts';
import { needBrowser } from './find-browsers.ts';
import { playwrightEngine, type PlaywrightEngine } from './playwright-engine.ts';
import { profileFolder } from './profile-folder.ts';

export const firefoxPrefs: Readonly<Record<string, string | number | boolean>> = {
  // Headless Firefox never answers `storage.persist()` unless told to grant it.
  'dom.storageManager.prompt.testing': true,
  'dom.storageManager.prompt.testing.allow': true,
  // A killed browser starts as if nothing had been: no restored tabs, no offer of a safe mode.
  'browser.sessionstore.resume_from_crash': false,
  'toolkit.startup.max_resumed_crashes': -1,
  // Nothing that talks to the outside on its own.
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'app.normandy.enabled': false,
};

/** Debian's Firefox is driven over WebDriver BiDi; Playwright's own build has a protocol of its own. */
export function firefoxChannel(): { executablePath: string; channel?: string } {
  const { from, path } = needBrowser('firefox');
  return from === 'system' ? { executablePath: path, channel: 'moz-firefox' } : { executablePath: path };
}

export interface FirefoxEngine extends PlaywrightEngine {
  /** Pages only: the worker stays online. Stop the server to cut off both. */
  setOffline(offline: boolean): Promise<void>;
}

export async function launchFirefox(options: LaunchOptions = {}): Promise<FirefoxEngine> {
  const profile = profileFolder('firefox', options.profile);
  const context = await firefox.launchPersistentContext(profile.path, {
    ...firefoxChannel(),
    firefoxUserPrefs: { ...firefoxPrefs, ...options.prefs },
    headless: !options.headed,
  });
  const engine = await playwrightEngine('firefox', context, profile);
  return { ...engine, setOffline: (offline) => context.setOffline(offline) };
}
