import type { BrowserContext, Page } from 'playwright';
import type { Engine, EngineName, InPage, Tab } from './engine.ts';
import { expression, waitUntil } from './in-page.ts';
import { killProcessesOf } from './process-of-profile.ts';
import type { ProfileFolder } from './profile-folder.ts';

/** An engine driven by Playwright; `page` is for what only Playwright can do, so only for tests of that one engine. */
export interface PlaywrightTab extends Tab {
  readonly page: Page;
}

const defaultWaitMs = 30_000;

export function playwrightTab(page: Page): PlaywrightTab {
  const evaluate = <Result, Arg>(source: InPage<Arg, Result>, arg?: Arg): Promise<Result> =>
    page.evaluate<Result>(expression(source, arg));
  return {
    page,
    evaluate,
    open: async (url) => void (await page.goto(url, { waitUntil: 'load' })),
    reload: async () => void (await page.reload({ waitUntil: 'load' })),
    url: async () => page.url(),
    click: (selector) => page.click(selector),
    fill: (selector, text) => page.fill(selector, text),
    press: (key) => page.keyboard.press(key),
    attach: (selector, paths) => page.setInputFiles(selector, [...paths]),
    waitFor: (source, arg, timeoutMs = defaultWaitMs) =>
      waitUntil(() => evaluate(source, arg), String(source), timeoutMs),
    screenshot: (path) => page.screenshot(path === undefined ? {} : { path }),
    close: () => page.close(),
  };
}

export interface PlaywrightEngine extends Engine, PlaywrightTab {
  readonly context: BrowserContext;
}

/** Joins a persistent context and its profile to one engine. */
export async function playwrightEngine(
  name: EngineName,
  context: BrowserContext,
  profile: ProfileFolder,
): Promise<PlaywrightEngine> {
  const page = context.pages()[0] ?? (await context.newPage());
  return {
    ...playwrightTab(page),
    name,
    context,
    version: context.browser()?.version() ?? 'unknown',
    profile: profile.path,
    newTab: async () => playwrightTab(await context.newPage()),
    kill: async () => {
      await killProcessesOf(profile.path);
      // Playwright still holds its end of the pipe; it has nobody left to answer it.
      await context.close().catch(() => undefined);
    },
    close: async () => {
      await context.close().catch(() => undefined);
      await killProcessesOf(profile.path);
      profile.remove();
    },
  };
}
