/**
 * Takes powers of the platform away from this page or worker, or has them lie, before anything else of the app runs.
 * `?lack=` in the address of either says which, with commas between them.
 */
const lack = new URLSearchParams(location.search).get('lack') ?? '';

const registration = globalThis.ServiceWorkerRegistration?.prototype as object | undefined;
const engine = Object.getPrototypeOf(navigator) as object;

const define = (owner: object | undefined, name: string, value: unknown): void =>
  void (owner && Object.defineProperty(owner, name, { configurable: true, get: () => value }));

const remove = (owner: object | undefined, name: string): void => void (owner && Reflect.deleteProperty(owner, name));

/** Background Sync that says this to everybody who registers. Firefox and WebKit get one that they do not have. */
const sync = (register: () => Promise<void>): void => define(registration, 'sync', { register });

/** In the worker only, whose words then are those of another release. */
function otherWords(): void {
  if ('document' in globalThis) return;
  for (const { prototype } of [BroadcastChannel, MessagePort] as { prototype: Speaker }[]) {
    const speak: (message: object) => void = Reflect.get(prototype, 'postMessage');
    prototype.postMessage = function (message) {
      speak.call(this, { ...message, v: 2 });
    };
  }
}

interface Speaker {
  postMessage(message: object): void;
}

/** In the worker only, which then understands no word of this release. */
function otherEars(): void {
  if (!('document' in globalThis)) globalThis.addEventListener('message', (event) => event.stopImmediatePropagation());
}

const lacks: Readonly<Record<string, () => void>> = {
  locks: () => remove(engine, 'locks'),
  'willing-locks': () =>
    define(engine, 'locks', {
      request: () => Promise.reject(new DOMException('storage is switched off', 'SecurityError')),
    }),
  'broadcast-channel': () => remove(globalThis, 'BroadcastChannel'),
  sync: () => remove(registration, 'sync'),
  'sync-that-fires': () => sync(() => Promise.resolve()),
  'willing-sync': () => sync(() => Promise.reject(new DOMException('switched off', 'NotAllowedError'))),
  'sync-that-answers': () => sync(() => new Promise(() => undefined)),
  'words-in-common': otherWords,
  'ears-in-common': otherEars,
  online: () => define(engine, 'onLine', false),
  offline: () => define(engine, 'onLine', true),
};
for (const name of lack.split(',')) lacks[name]?.();

export {};
