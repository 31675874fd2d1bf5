/**
 * What this engine can do, one predicate each: the only place in the package that looks at the engine. Functions, so that
 * importing a door touches no global.
 */

/** There is none where a page is rendered on a server. */
function engine(): { readonly locks?: LockManager; readonly storage?: StorageManager } {
  return (globalThis as { navigator?: object }).navigator ?? {};
}

/** Web Locks. Missing outside of secure contexts, and in WebKit before 15.4. */
export function hasLocks(): boolean {
  return typeof engine().locks?.request === 'function';
}

/** BroadcastChannel. Missing in WebKit before 15.4. */
export function hasBroadcastChannel(): boolean {
  return 'BroadcastChannel' in globalThis;
}

/** Hashing by the engine. `crypto.subtle` is missing outside of secure contexts (plain http, not localhost). */
export function hasSubtle(): boolean {
  return typeof (globalThis as { crypto?: Partial<Crypto> }).crypto?.subtle?.digest === 'function';
}

/** `navigator.storage.persist()`. Missing in every worker; WebKitGTK's workers have no `navigator.storage` at all. */
export function persistentStorage(): { persist(): Promise<boolean> } | undefined {
  const storage = engine().storage as object as { persist?: () => Promise<boolean> } | undefined;
  return typeof storage?.persist === 'function' ? { persist: () => storage.persist!() } : undefined;
}

/** `navigator.storage.estimate()` and `persisted()`. Missing in WebKit before 15.2 or 17, and in WebKitGTK's workers. */
export function storageManager(): Pick<StorageManager, 'estimate' | 'persisted'> | undefined {
  const { storage } = engine();
  return typeof storage?.estimate === 'function' ? storage : undefined;
}

/** What `navigator.connection` tells: whether data is to be saved, and (on phones) the kind of link. */
export interface NetworkInformation extends EventTarget {
  readonly saveData?: boolean;
  readonly type?: string;
}

/** The Network Information API. Chromium only. */
export function networkInformation(): NetworkInformation | undefined {
  return (engine() as { connection?: NetworkInformation }).connection;
}

/**
 * `IDBTransaction.commit()` while writes are on their way, as Indexed Database 3.0 section 5.4 has it: one that is refused
 * afterwards aborts them all. Firefox (153) then commits the others and says `complete`. The only way to notice is to lose
 * something, so it is known by its name: the others say "like Gecko" without a version.
 */
export function commitsAllOrNothing(): boolean {
  return !/\bGecko\//.test((engine() as { userAgent?: string }).userAgent ?? '');
}

/** The calls of web storage that are used. */
export interface WebStorage {
  getItem(name: string): string | null;
  removeItem(name: string): void;
  setItem(name: string, value: string): void;
}

/** Web storage. Missing in workers; touching it throws where site data is blocked. */
export function webStorage(): WebStorage | undefined {
  try {
    return (globalThis as { localStorage?: WebStorage }).localStorage;
  } catch {
    return undefined;
  }
}

/**
 * Background Sync. Chromium only; Brave and some WebViews have the API and reject every registration, so a `true` here is
 * a hint, and the registration's answer is the truth.
 */
export function hasBackgroundSync(registration: object): boolean {
  return 'sync' in registration;
}

/** Periodic Background Sync. Chromium only, for installed apps. */
export function hasPeriodicSync(registration: object): boolean {
  return 'periodicSync' in registration;
}

/** `InstallEvent.addRoutes`: requests no route matches never wait for the worker. Chromium from 123. */
export function hasStaticRoutes(installEvent: object): boolean {
  return 'addRoutes' in installEvent;
}

/** `navigator.connection`, for Save-Data and changes of network that a worker can hear. Chromium only. */
export function hasConnectionInfo(): boolean {
  return 'connection' in engine();
}

/** `IDBIndex.getAllRecords`: reads a page from the end in one request. Missing in WebKit (2.50). */
export interface WithGetAllRecords {
  getAllRecords(options: {
    query: IDBKeyRange;
    count?: number;
    direction: 'prev';
  }): IDBRequest<readonly { readonly value: unknown }[]>;
}

export function hasGetAllRecords(source: object): source is WithGetAllRecords {
  return 'getAllRecords' in source;
}

let formFiles: Promise<boolean> | undefined;

/**
 * Whether a page can read the bytes of a form with a file in it. WebKit (2.50) cannot ("Unable to read form data blob"),
 * neither from a Request nor from a Response; its workers can.
 */
export function readsFormFiles(): Promise<boolean> {
  return (formFiles ??= probe());

  async function probe(): Promise<boolean> {
    const form = new FormData();
    form.append('file', new File(['x'], 'x'));
    try {
      return (await new Response(form).arrayBuffer()).byteLength > 1;
    } catch {
      return false;
    }
  }
}
