import { launchChromium } from './chromium.ts';
import type { Engine, EngineName, LaunchOptions } from './engine.ts';
import { launchFirefox } from './firefox.ts';
import { launchFirefoxMarionette } from './firefox-marionette.ts';
import { launchWebKit } from './webkit.ts';

const launchers = {
  chromium: launchChromium,
  firefox: (options: LaunchOptions) => (options.overWorkers ? launchFirefoxMarionette : launchFirefox)(options),
  webkit: launchWebKit,
};

/**
 * Starts a browser. Close it in `finally`: it ends with this process at the latest, but its profile would stay.
 *
 * @throws Error when it is not installed, naming the command that installs it
 */
export function launch(name: EngineName, options: LaunchOptions = {}): Promise<Engine> {
  return launchers[name](options);
}
