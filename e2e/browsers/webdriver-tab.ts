import { writeFileSync } from 'node:fs';
import type { InPage, Tab } from './engine.ts';
import { expression, waitUntil } from './in-page.ts';
import type { WebDriver } from './webdriver.ts';

/** Runs one command in one tab: a session has a single current window, so tabs take turns. */
export type InTab = <Result>(work: (driver: WebDriver) => Promise<Result>) => Promise<Result>;

const defaultWaitMs = 30_000;
/** How long `click`, `fill` and `attach` wait for their element, as Playwright's do. */
const elementWaitMs = 30_000;

// The key of an element reference and the code points of the named keys, from the WebDriver specification.
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';
const keys: Readonly<Record<string, string>> = {
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
};

type Outcome<Result> = { readonly value: Result } | { readonly error: string };

const findThroughShadows = `
  const find = (root) => root.querySelector(arguments[0]) ??
    Array.from(root.querySelectorAll('*'), (one) => one.shadowRoot && find(one.shadowRoot)).find(Boolean);
  return find(document) ?? null;`;

export function webDriverTab(inTab: InTab, close: () => Promise<void>): Tab {
  const evaluate = async <Result, Arg>(source: InPage<Arg, Result>, arg?: Arg): Promise<Result> => {
    const script = `const done = arguments[arguments.length - 1];
      (async () => ${expression(source, arg)})().then(
        (value) => done({ value }),
        (error) => done({ error: String(error) + '\\n' + (error?.stack ?? '') }));`;
    const outcome = await inTab((driver) =>
      driver.command<Outcome<Result>>('POST', '/execute/async', { script, args: [] }),
    );
    if ('error' in outcome) throw new Error(outcome.error);
    return outcome.value;
  };

  const withElement = async (selector: string, path: string, body: object): Promise<void> => {
    const look = () =>
      inTab((driver) =>
        driver.command<Record<string, string> | null>('POST', '/execute/sync', {
          script: findThroughShadows,
          args: [selector],
        }),
      );
    const element = await waitUntil(look, `an element ${selector}`, elementWaitMs);
    await inTab((driver) => driver.command('POST', `/element/${element?.[elementKey]}${path}`, body));
  };

  return {
    evaluate,
    open: (url) => inTab((driver) => driver.command('POST', '/url', { url })),
    reload: () => inTab((driver) => driver.command('POST', '/refresh', {})),
    url: () => inTab((driver) => driver.command<string>('GET', '/url')),
    click: (selector) => withElement(selector, '/click', {}),
    fill: async (selector, text) => {
      await withElement(selector, '/clear', {});
      await withElement(selector, '/value', { text });
    },
    press: (key) => {
      const value = keys[key] ?? key;
      const actions = [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ];
      return inTab((driver) => driver.command('POST', '/actions', { actions: [{ type: 'key', id: 'keys', actions }] }));
    },
    attach: (selector, paths) => withElement(selector, '/value', { text: paths.join('\n') }),
    waitFor: (source, arg, timeoutMs = defaultWaitMs) =>
      waitUntil(() => evaluate(source, arg), String(source), timeoutMs),
    screenshot: async (path) => {
      const png = Buffer.from(await inTab((driver) => driver.command<string>('GET', '/screenshot')), 'base64');
      if (path !== undefined) writeFileSync(path, png);
      return png;
    },
    close,
  };
}
