import { defineBrowserProvider } from '@vitest/browser';
import type { BrowserProviderOption } from 'vitest/node';
import type { Engine } from './engine.ts';
import { launchWebKit } from './webkit.ts';

/** Vitest's browser mode in WebKitGTK; its own providers know only Playwright's WebKit and WebdriverIO. */
export function webkitGtk(): BrowserProviderOption {
  return defineBrowserProvider({
    name: 'webkitgtk',
    supportedBrowser: ['webkit'],
    providerFactory: () => {
      let engine: Engine | undefined;
      return {
        name: 'webkitgtk',
        supportsParallelism: false,
        getCommandsContext: () => ({ engine }),
        openPage: async (_sessionId, url) => {
          engine ??= await launchWebKit();
          await engine.open(url);
        },
        close: async () => {
          await engine?.close();
          engine = undefined;
        },
      };
    },
  });
}
