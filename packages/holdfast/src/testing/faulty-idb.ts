/** Where a fault strikes. */
export type FaultStep = 'open' | 'transaction' | 'read' | 'write' | 'commit';

export interface Fault {
  readonly step: FaultStep;
  /** Which call of this step, counted from now; 1 is the next. */
  readonly nth: number;
  /**
   * `throw`: the call itself throws. `fail`: its request, or the transaction at its commit, fails a turn later. `hang`: an
   * open or a read that never ends, or a commit that is done without a word. `blocked`: an open that waits for ever behind
   * an old tab. `lost-word`: the commit is done, but the connection dies before it could say so.
   */
  readonly how: 'throw' | 'fail' | 'hang' | 'blocked' | 'lost-word';
  /** Name of the DOMException: `QuotaExceededError`, `UnknownError`, `InvalidStateError`, … */
  readonly error: string;
}

export interface FaultyIndexedDb {
  /** Adds a fault; each strikes once. */
  inject(fault: Fault): void;
  /** The faults that have struck so far. */
  readonly struck: readonly Fault[];
  /** Drops the faults that have not struck. */
  calm(): void;
  /** Takes the wrapper off. */
  restore(): void;
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

const READS = ['get', 'getAll', 'getKey', 'getAllKeys', 'count', 'openCursor', 'openKeyCursor'] as const;
const WRITES = ['put', 'add', 'delete', 'clear'] as const;

/**
 * Wraps the IndexedDB of this context, real or fake, so that any call can be made to fail the way engines fail. Call
 * `restore` afterwards.
 */
export function faultyIndexedDb(): FaultyIndexedDb {
  const waiting = new Map<Fault, number>();
  const struck: Fault[] = [];
  const undo: (() => void)[] = [];
  let within = false;

  /** Counts a call and says whether a fault strikes it. */
  function due(step: FaultStep): Fault | undefined {
    let hit: Fault | undefined;
    for (const [fault, left] of waiting) {
      if (fault.step !== step) continue;
      waiting.set(fault, left - 1);
      if (left === 1) hit = fault;
    }
    if (hit) {
      waiting.delete(hit);
      struck.push(hit);
    }
    return hit;
  }

  function wrap(prototype: object, name: string, step: FaultStep, faulty: Faulty): void {
    const methods = prototype as Record<string, Method>;
    const original = methods[name];
    if (!original) return;
    methods[name] = function (this: unknown, ...args) {
      // A fake IndexedDB calls itself for its upgrades, and a fault uses the calls it wraps.
      const fault = args[1] === 'versionchange' || within ? undefined : due(step);
      if (!fault) return original.apply(this, args);
      const error = new DOMException('injected', fault.error);
      if (fault.how === 'throw') throw error;
      within = true;
      try {
        return faulty(this, fault, error, () => original.apply(this, args));
      } finally {
        within = false;
      }
    };
    undo.push(() => void (methods[name] = original));
  }

  wrap(IDBFactory.prototype, 'open', 'open', (_factory, fault, error) => {
    const request = silentRequest();
    if (fault.how === 'fail') queueMicrotask(() => fail(request, error));
    if (fault.how === 'blocked') queueMicrotask(() => request.dispatchEvent(new Event('blocked')));
    return request;
  });
  wrap(IDBDatabase.prototype, 'transaction', 'transaction', (_db, _fault, error) => {
    throw error;
  });
  for (const name of READS) {
    for (const { prototype } of [IDBObjectStore, IDBIndex]) wrap(prototype, name, 'read', failRead);
  }
  for (const name of WRITES) wrap(IDBObjectStore.prototype, name, 'write', failWrite);
  wrap(IDBTransaction.prototype, 'commit', 'commit', failCommit);

  return {
    inject: (fault) => void waiting.set(fault, fault.nth),
    struck,
    calm: () => waiting.clear(),
    restore: () => undo.splice(0).forEach((step) => step()),
  };
}

type Faulty = (target: unknown, fault: Fault, error: DOMException, original: () => unknown) => unknown;

/** A request nobody answers, unless with an error. */
interface SilentRequest extends EventTarget {
  error: DOMException | null;
  onerror: ((event: Event) => void) | null;
}

/** It has to pass for an IDBRequest, but may be none: the prototype's own members work on the engine's objects only. */
function silentRequest(): SilentRequest {
  const inner = new EventTarget();
  const own = {
    addEventListener: (...args: Parameters<EventTarget['addEventListener']>) => inner.addEventListener(...args),
    removeEventListener: (...args: Parameters<EventTarget['removeEventListener']>) =>
      inner.removeEventListener(...args),
    dispatchEvent: (event: Event) => inner.dispatchEvent(event),
    result: undefined,
    error: null,
    onsuccess: null,
    onerror: null,
  };
  const members = Object.entries(own).map(([name, value]) => [name, { value, writable: true, configurable: true }]);
  const descriptors = Object.fromEntries(members) as PropertyDescriptorMap;
  return Object.create(IDBOpenDBRequest.prototype, descriptors) as SilentRequest;
}

/** Tells whoever listens; returns whether somebody prevented the consequence. */
function fail(request: SilentRequest, error: DOMException): boolean {
  request.error = error;
  const event = new Event('error', { cancelable: true });
  request.onerror?.(event);
  request.dispatchEvent(event);
  return event.defaultPrevented;
}

/** A read fails and takes its transaction with it. */
function failRead(target: unknown, fault: Fault, error: DOMException): SilentRequest {
  const tx = transactionOf(target);
  const request = silentRequest();
  if (fault.how === 'hang') return request;
  // A harmless request of the same transaction gives the moment in which the engine would answer.
  const pulse: IDBRequest<unknown> = tx.objectStore('control').get('no such record');
  pulse.onsuccess = () => {
    if (fail(request, error)) return;
    setError(tx, error);
    tx.abort();
  };
  return request;
}

/** A write fails for real, also while the transaction commits: one record is added twice, under another error's name. */
function failWrite(target: unknown, _fault: Fault, error: DOMException): IDBRequest {
  const tx = transactionOf(target);
  const control = tx.objectStore('control');
  control.put(0, 'fault');
  const request = control.add(0, 'fault');
  setError(request, error);
  setError(tx, error);
  return request;
}

function transactionOf(target: unknown): IDBTransaction {
  return ('objectStore' in (target as object) ? (target as IDBIndex).objectStore : (target as IDBObjectStore))
    .transaction;
}

function failCommit(target: unknown, fault: Fault, error: DOMException, original: () => unknown): void {
  const tx = target as IDBTransaction;
  if (fault.how === 'fail') {
    setError(tx, error);
    tx.abort();
    return;
  }
  const aborted = tx.onabort;
  tx.oncomplete = () => {
    if (fault.how === 'hang') return;
    setError(tx, error);
    aborted?.call(tx, new Event('abort'));
  };
  original();
}

function setError(owner: IDBTransaction | IDBRequest, error: DOMException): void {
  Object.defineProperty(owner, 'error', { get: () => error, set: () => undefined, configurable: true });
}
