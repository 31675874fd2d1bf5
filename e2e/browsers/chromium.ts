import { type CDPSession, chromium } from 'playwright';
import type { LaunchOptions } from './engine.ts';
import { needBrowser } from './find-browsers.ts';
import { playwrightEngine, type PlaywrightEngine } from './playwright-engine.ts';
import { profileFolder } from './profile-folder.ts';

/** Nothing that talks to the outside on its own, and no sandbox where there cannot be one (root). */
export const chromiumArgs = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  // Containers often have a /dev/shm too small for a page with large bodies.
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface ChromiumEngine extends PlaywrightEngine {
  setOffline(offline: boolean): Promise<void>;
  stopWorkers(): Promise<void>;
}

export async function launchChromium(options: LaunchOptions = {}): Promise<ChromiumEngine> {
  const { path } = needBrowser('chromium');
  const profile = profileFolder('chromium', options.profile);
  const context = await chromium.launchPersistentContext(profile.path, {
    executablePath: path,
    args: [...chromiumArgs, ...(options.args ?? [])],
    headless: !options.headed,
    ...(options.backForwardCache && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
  });
  const engine = await playwrightEngine('chromium', context, profile);
  let devtools: Promise<CDPSession> | undefined;
  const openDevtools = async () => {
    const session = await context.newCDPSession(engine.page);
    await session.send('ServiceWorker.enable');
    return session;
  };
  return {
    ...engine,
    setOffline: (offline) => context.setOffline(offline),
    stopWorkers: async () => {
      devtools ??= openDevtools();
      await (await devtools).send('ServiceWorker.stopAllWorkers');
    },
  };
}
