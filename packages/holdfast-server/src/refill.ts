import { collect } from './collect';

/** A request's whole body, or `undefined` as soon as it passes the limit, declared or not. */
export async function boundedBody(request: Request, limitBytes: number): Promise<Uint8Array | undefined> {
  const declared = request.headers.get('content-length');
  if (declared === null) return request.body ? collect(request.body, limitBytes) : new Uint8Array();
  // HTTP servers cut a body off at its declared length, so it can be read in one go.
  if (Number(declared) > limitBytes) return undefined;
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.byteLength > limitBytes ? undefined : bytes;
}

/**
 * The same request, its body unread. The signal is handed through and not followed: following costs more than all the
 * rest, and a listener on a signal that outlives the request is never let go.
 */
export function refilled(request: Request, bytes: Uint8Array): Request {
  Refilled ??= defineRefilled();
  return new Refilled(request, bytes);
}

let Refilled: ReturnType<typeof defineRefilled> | undefined;

/** A class, so that the getter is one for all (see `LiveContext`); made at the first use, for importing must touch no global. */
function defineRefilled(): new (original: Request, bytes: Uint8Array) => Request {
  return class extends Request {
    readonly #original: Request;

    constructor(original: Request, bytes: Uint8Array) {
      const { method, headers, url } = original;
      super(url, { method, headers, body: bytes as BodyInit });
      this.#original = original;
    }

    override get signal(): AbortSignal {
      return this.#original.signal;
    }
  };
}
