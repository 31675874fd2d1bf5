import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine, LaunchOptions } from './engine.ts';
import { needBrowser } from './find-browsers.ts';
import { firefoxPrefs } from './firefox.ts';
import { waitUntil } from './in-page.ts';
import { openMarionette } from './marionette.ts';
import { startGroup } from './process-group.ts';
import { killProcessesOf } from './process-of-profile.ts';
import { profileFolder } from './profile-folder.ts';
import { tabsInTurn } from './tabs-in-turn.ts';

export interface MarionetteEngine extends Engine {
  /** Pages and workers alike. */
  setOffline(offline: boolean): Promise<void>;
  stopWorkers(): Promise<void>;
}

// What a first start, an update or a crash would put in the way.
const quietPrefs = {
  'marionette.port': 0,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'browser.startup.homepage': 'about:blank',
  'browser.aboutwelcome.enabled': false,
  'browser.newtabpage.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.enabled': false,
  'extensions.update.enabled': false,
  'extensions.getAddons.cache.enabled': false,
  'services.settings.server': 'data:,#no-remote-settings',
  'browser.safebrowsing.update.enabled': false,
  'network.manage-offline-status': false,
  // Offline means this machine too: the servers of the tests are on it.
  'network.disable-localhost-when-offline': true,
};

// Going offline only keeps Firefox from new connections: one that is open would still carry requests.
const setOffline = (offline: boolean) => `
  Services.io.offline = ${offline};
  if (${offline}) Services.obs.notifyObservers(null, 'net:cancel-all-connections');`;

const stopWorkers = `
  const manager = Cc['@mozilla.org/serviceworkers/manager;1'].getService(Ci.nsIServiceWorkerManager);
  const registrations = manager.getAllRegistrations();
  for (let index = 0; index < registrations.length; index += 1)
    await registrations.queryElementAt(index, Ci.nsIServiceWorkerRegistrationInfo).activeWorker?.terminateWorker();`;

/**
 * Debian's Firefox without Playwright: what that cannot do, Firefox's own remote control can. It stops service workers
 * and takes them offline, too.
 */
export async function launchFirefoxMarionette(options: LaunchOptions = {}): Promise<MarionetteEngine> {
  const { path } = needBrowser('firefox');
  const profile = profileFolder('firefox', options.profile);
  const portFile = join(profile.path, 'MarionetteActivePort');
  rmSync(portFile, { force: true });
  const prefs = Object.entries({ ...quietPrefs, ...firefoxPrefs, ...options.prefs });
  const lines = prefs.map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`);
  writeFileSync(join(profile.path, 'user.js'), lines.join(''));

  const remote = ['--no-remote', '--marionette', '--remote-allow-system-access', '--profile', profile.path];
  const group = startGroup(path, [...(options.headed ? [] : ['--headless']), ...remote], {
    env: { ...process.env, MOZ_CRASHREPORTER_DISABLE: '1' },
  });
  const end = async () => {
    await group.kill();
    await killProcessesOf(profile.path);
  };
  try {
    const port = await waitUntil(async () => Number(readFileSync(portFile, 'utf8')), 'the port of Marionette', 60_000);
    const marionette = await openMarionette(port);
    const tabs = await tabsInTurn(marionette);
    return {
      ...tabs.first,
      name: 'firefox',
      version: String(marionette.capabilities['browserVersion']),
      profile: profile.path,
      newTab: tabs.newTab,
      setOffline: (offline) => tabs.inTurn(() => marionette.inBrowser(setOffline(offline))),
      stopWorkers: () => tabs.inTurn(() => marionette.inBrowser(stopWorkers)),
      kill: async () => {
        await end();
        marionette.disconnect();
      },
      close: async () => {
        await marionette.inBrowser('Services.startup.quit(Ci.nsIAppStartup.eForceQuit);').catch(() => undefined);
        marionette.disconnect();
        await end();
        profile.remove();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}
