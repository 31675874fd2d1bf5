import type { Tab } from './engine.ts';
import type { WebDriver } from './webdriver.ts';
import { webDriverTab } from './webdriver-tab.ts';

export interface Tabs {
  readonly first: Tab;
  readonly newTab: () => Promise<Tab>;
  /** Work that needs the session for itself, whatever tab is current. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Gives each tab its turn: a session has one current window, which a command may have to change first. */
export async function tabsInTurn(driver: WebDriver): Promise<Tabs> {
  const first = await driver.command<string>('GET', '/window');
  let current = first;
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  };
  const switchTo = async (handle: string) => {
    if (current !== handle) await driver.command('POST', '/window', { handle });
    current = handle;
  };
  const inTab =
    (handle: string) =>
    <Result>(work: (driver: WebDriver) => Promise<Result>) =>
      inTurn(async () => {
        await switchTo(handle);
        return work(driver);
      });
  const close = (handle: string) =>
    inTurn(async () => {
      await switchTo(handle);
      await driver.command('DELETE', '/window');
      // A session whose current window is gone opens no other.
      if (handle !== first) await switchTo(first);
    });
  const tab = (handle: string) => webDriverTab(inTab(handle), () => close(handle));
  return {
    first: tab(first),
    newTab: async () => {
      const { handle } = await inTurn(() => driver.command<{ handle: string }>('POST', '/window/new', { type: 'tab' }));
      return tab(handle);
    },
    inTurn,
  };
}
