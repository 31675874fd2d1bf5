export const engineNames = ['chromium', 'firefox', 'webkit'] as const;
export type EngineName = (typeof engineNames)[number];

export interface LaunchOptions {
  /** Folder of the profile, made when missing. Without one the browser gets a new one that `close` removes. */
  readonly profile?: string;
  /** Show the window. @default false */
  readonly headed?: boolean;
  /** Extra command line arguments (Chromium only). */
  readonly args?: readonly string[];
  /** A page that is left may come back as it was, as for people (Playwright switches that off in Chromium). @default false */
  readonly backForwardCache?: boolean;
  /**
   * Power over service workers in Firefox, too: `stopWorkers`, and a `setOffline` that reaches them. It is then driven by
   * its own remote control instead of Playwright. @default false
   */
  readonly overWorkers?: boolean;
  /** Extra preferences (Firefox only). */
  readonly prefs?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * What is evaluated in a page: an expression as text, or a function that closes over nothing. Its argument and its
 * result cross as JSON in WebKitGTK, so keep to JSON everywhere.
 */
export type InPage<Arg, Result> = string | ((arg: Arg) => Result | Promise<Result>);

/** One tab. Selectors are CSS and see through open shadow roots. */
export interface Tab {
  /** Goes to a URL and resolves once the page has loaded. */
  open(url: string): Promise<void>;
  reload(): Promise<void>;
  url(): Promise<string>;
  evaluate<Result, Arg = undefined>(source: InPage<Arg, Result>, arg?: Arg): Promise<Result>;
  /** A real click: the element is scrolled into view and hit with the pointer. */
  click(selector: string): Promise<void>;
  /** Empties a field and types the text. */
  fill(selector: string, text: string): Promise<void>;
  /** Types into whatever has the focus; `Tab`, `Enter`, `Escape` and the arrow keys by name. */
  press(key: string): Promise<void>;
  /** Chooses files in an `<input type="file">`. */
  attach(selector: string, paths: readonly string[]): Promise<void>;
  /** Resolves once the expression or function gives something truthy, and gives that. Rejects after `timeoutMs`. */
  waitFor<Result, Arg = undefined>(source: InPage<Arg, Result>, arg?: Arg, timeoutMs?: number): Promise<Result>;
  /** The visible part of the page as PNG, also written to `path` when given. */
  screenshot(path?: string): Promise<Buffer>;
  close(): Promise<void>;
}

/** A running browser; it is also its first tab. */
export interface Engine extends Tab {
  readonly name: EngineName;
  readonly version: string;
  readonly profile: string;
  newTab(): Promise<Tab>;
  /** Cuts the network off, or gives it back. WebKit cannot; Firefox reaches workers only with `overWorkers`. */
  setOffline?(offline: boolean): Promise<void>;
  /** Ends every service worker, as the browser does when one is idle; the next event starts it again. WebKit cannot. */
  stopWorkers?(): Promise<void>;
  /** SIGKILL: nothing gets to say goodbye. Resolves when the process is gone; the profile stays. */
  kill(): Promise<void>;
  /** Closes the browser in its own way, and removes its profile if `launch` made it. Harmless after `kill`. */
  close(): Promise<void>;
}
