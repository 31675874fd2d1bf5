import { playwright } from '@vitest/browser-playwright';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import type { BrowserProviderOption } from 'vitest/node';
import { peerCommands, peerPlugin } from '../peer/vite-peer.ts';
import { chromiumArgs } from './chromium.ts';
import type { EngineName } from './engine.ts';
import { findBrowser } from './find-browsers.ts';
import { firefoxPrefs } from './firefox.ts';
import { webkitGtk } from './vitest-webkitgtk.ts';

// What is not installed falls to Playwright, whose own message then says so: a config that throws would also stop
// the tests that need no browser.
const providers: Record<EngineName, () => BrowserProviderOption> = {
  chromium: () => {
    const path = findBrowser('chromium')?.path;
    return playwright({ launchOptions: { args: chromiumArgs, ...(path && { executablePath: path }) } });
  },
  firefox: () => {
    const found = findBrowser('firefox');
    return playwright({
      launchOptions: {
        firefoxUserPrefs: { ...firefoxPrefs },
        ...(found && { executablePath: found.path }),
        ...(found?.from === 'system' && { channel: 'moz-firefox' }),
      },
    });
  },
  webkit: () => (findBrowser('webkit')?.from === 'playwright' ? playwright() : webkitGtk()),
};

/** The test project of one engine: every `*.browser.ts` of the browser package, against a real network. */
export function browserProject(name: EngineName): TestProjectInlineConfiguration {
  return {
    plugins: [peerPlugin()],
    // Found while a test runs, a dependency would make Vite reload the page under it.
    optimizeDeps: {
      include: [
        'idb',
        'nanoid',
        'lit',
        'lit/directives/ref.js',
        'lit/directives/repeat.js',
        '@lit-labs/virtualizer/virtualize.js',
      ],
    },
    test: {
      name,
      root: 'packages/holdfast',
      include: ['src/**/*.browser.ts'],
      fileParallelism: false,
      testTimeout: 60_000,
      hookTimeout: 60_000,
      browser: {
        enabled: true,
        headless: true,
        ui: false,
        screenshotFailures: false,
        provider: providers[name](),
        commands: peerCommands,
        instances: [{ browser: name }],
      },
    },
  };
}
