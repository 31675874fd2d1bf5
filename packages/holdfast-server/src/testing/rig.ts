import { idempotent } from '../idempotent';
import type { Handler, IdempotencyOptions, IdempotentHandler } from '../idempotent';
import type { GuardEvent } from '../events';
import { memoryStore } from '../stores/memory';
import { handSystem } from './hand-system';
import type { HandSystem } from './hand-system';

export interface Sent {
  readonly key?: string | null;
  readonly method?: string;
  readonly path?: string;
  readonly body?: BodyInit | null;
  readonly headers?: Record<string, string>;
}

/** A request as a client would send it; by default a JSON order under the key `"k1"`. */
export function request({ key = '"k1"', method = 'POST', path = '/orders', body, headers = {} }: Sent = {}): Request {
  const init: RequestInit & { duplex?: 'half' } = { method, duplex: 'half' };
  init.headers = {
    'content-type': 'application/json',
    ...(key === null ? {} : { 'idempotency-key': key }),
    ...headers,
  };
  if (method !== 'GET' && method !== 'HEAD') init.body = body === undefined ? '{"sku":"X1","qty":2}' : body;
  return new Request(`http://api.test${path}`, init);
}

export interface Rig {
  readonly api: IdempotentHandler;
  /** Sends a request and waits for the answer. */
  readonly send: (sent?: Sent) => Promise<Response>;
  /** How often the handler ran. */
  readonly runs: () => number;
  readonly system: HandSystem;
  readonly events: GuardEvent[];
  readonly names: () => string[];
}

/** A guarded handler on a memory store, with time by hand. The default handler answers 201 with the number of its run. */
export function rig(handler?: Handler, options: Partial<IdempotencyOptions> = {}): Rig {
  const system = handSystem();
  const events: GuardEvent[] = [];
  let runs = 0;
  const counted: Handler = (incoming, context) => {
    runs += 1;
    return handler ? handler(incoming, context) : Response.json({ run: runs }, { status: 201 });
  };
  const store = memoryStore({ clock: () => system.now() });
  const on = (event: GuardEvent): void => void events.push(event);
  const api = idempotent(counted, { store, system, on, principal: () => 'ann', ...options });
  return {
    api,
    send: (sent) => api(request(sent)),
    runs: () => runs,
    system,
    events,
    names: () => events.map(({ name }) => name),
  };
}

/** The problem's code, and the status; for a plain answer the code is undefined. */
export async function problem(response: Response): Promise<{ status: number; code: string | undefined }> {
  const isProblem = response.headers.get('content-type') === 'application/problem+json';
  const code = isProblem ? ((await response.json()) as { code: string }).code : undefined;
  return { status: response.status, code };
}

/** A promise that is settled from outside. */
export interface Gate<T> {
  readonly promise: Promise<T>;
  readonly open: (this: void, value: T) => void;
  readonly fail: (this: void, error: unknown) => void;
}

export function gate<T = void>(): Gate<T> {
  let open!: Gate<T>['open'];
  let fail!: Gate<T>['fail'];
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { promise, open, fail };
}
