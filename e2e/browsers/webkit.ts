import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { webkit } from 'playwright';
import type { Engine, LaunchOptions } from './engine.ts';
import { needBrowser } from './find-browsers.ts';
import { freePort } from './free-port.ts';
import { playwrightEngine } from './playwright-engine.ts';
import { startGroup } from './process-group.ts';
import { profileFolder } from './profile-folder.ts';
import { tabsInTurn } from './tabs-in-turn.ts';
import { openWebDriver } from './webdriver.ts';
import { startXvfb } from './xvfb.ts';

const browserScript = fileURLToPath(new URL('./wkbrowser.py', import.meta.url));

/**
 * Everything WebKitGTK would write goes into the profile, and it asks no session bus or sandbox for anything.
 * Compositing stays on, in software: without it a screenshot never comes.
 */
const environment = (profile: string, display: string): NodeJS.ProcessEnv => ({
  ...process.env,
  DISPLAY: display,
  HOME: profile,
  XDG_DATA_HOME: join(profile, 'data'),
  XDG_CACHE_HOME: join(profile, 'cache'),
  XDG_CONFIG_HOME: join(profile, 'config'),
  XDG_RUNTIME_DIR: undefined,
  WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
  NO_AT_BRIDGE: '1',
  GTK_A11Y: 'none',
  HOLDFAST_PROFILE: profile,
});

const capabilities = {
  browserName: 'MiniBrowser',
  'webkitgtk:browserOptions': { binary: browserScript, args: [] },
  timeouts: { script: 120_000, pageLoad: 60_000, implicit: 0 },
};

/** WebKitGTK behind its own WebDriver, on a display of its own. */
async function launchWebKitGtk(driverPath: string, options: LaunchOptions): Promise<Engine> {
  const profile = profileFolder('webkit', options.profile);
  const display = options.headed ? undefined : await startXvfb();
  const port = await freePort();
  const env = environment(profile.path, display?.name ?? process.env['DISPLAY'] ?? ':0');
  const group = startGroup(driverPath, [`--port=${port}`], { env });
  const end = async () => {
    await group.kill();
    await display?.stop();
  };
  try {
    const driver = await openWebDriver(`http://127.0.0.1:${port}`, capabilities);
    const tabs = await tabsInTurn(driver);
    return {
      ...tabs.first,
      name: 'webkit',
      version: String(driver.capabilities['browserVersion']),
      profile: profile.path,
      newTab: tabs.newTab,
      kill: end,
      close: async () => {
        await driver.command('DELETE', '').catch(() => undefined);
        await end();
        profile.remove();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

export async function launchWebKit(options: LaunchOptions = {}): Promise<Engine> {
  const found = needBrowser('webkit');
  if (found.from === 'system') return launchWebKitGtk(found.path, options);
  const profile = profileFolder('webkit', options.profile);
  const context = await webkit.launchPersistentContext(profile.path, { headless: !options.headed });
  return playwrightEngine('webkit', context, profile);
}
