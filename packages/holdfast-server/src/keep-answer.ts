/**
 * Answers that say nothing about the request itself: signed out, not now, too early, wrong connection. Kept, they would
 * stand between the caller and the work for as long as answers are kept.
 */
const passing = new Set([401, 403, 408, 421, 425, 429]);

/** What the policy decides on. */
export interface FreshAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Whether the handler said that its work is done and cannot be undone (`context.committed()`). */
  readonly committed: boolean;
}

/** The fields of an answer, in lower case, the lines of one joined: `Headers`, or what a server has instead of them. */
export interface Fields {
  forEach(visit: (value: string, name: string) => void): void;
}

/** What the policy is handed: `Headers` are made only for one that asks for them. */
export class Fresh implements FreshAnswer {
  readonly status: number;
  readonly committed: boolean;
  readonly #fields: Fields;
  #headers: Headers | undefined;

  constructor(status: number, fields: Fields, committed: boolean) {
    this.status = status;
    this.committed = committed;
    this.#fields = fields;
  }

  get headers(): Headers {
    if (this.#fields instanceof Headers) return this.#fields;
    if (!this.#headers) {
      const headers = (this.#headers = new Headers());
      this.#fields.forEach((value, name) => headers.append(name, value));
    }
    return this.#headers;
  }
}

/**
 * Whether an answer is kept and replayed. If not, the key is free again and the next request runs the handler.
 *
 * Kept: everything below 500 but 401, 403, 408, 421, 425 and 429; and anything at all once the handler has committed.
 */
export function keepAnswer({ status, committed }: FreshAnswer): boolean {
  return committed || (status < 500 && !passing.has(status));
}

/** Headers kept with an answer: those that belong to it, and none that belong to one connection, moment or session. */
export const keptHeaders: readonly string[] = [
  'content-type',
  'content-encoding',
  'content-language',
  'content-disposition',
  'content-location',
  'content-range',
  'location',
  'etag',
  'last-modified',
  'cache-control',
  'vary',
  'link',
  'retry-after',
  'accept-patch',
  'allow',
  // A browser shows no answer to a page without these; if they came from inside the handler, a replay needs them too.
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-expose-headers',
];

/** Never kept, whatever the options say: the first caller's session is not the second's. */
export const neverKept: readonly string[] = ['set-cookie', 'set-cookie2'];

const usual: ReadonlySet<string> = new Set(keptHeaders);

/** The headers of an answer that are kept with it. */
export function pickHeaders(fields: Fields, more: readonly string[]): (readonly [string, string])[] {
  const picked: (readonly [string, string])[] = [];
  fields.forEach((value, name) => {
    if ((usual.has(name) || more.includes(name)) && !neverKept.includes(name)) picked.push([name, value]);
  });
  return picked;
}

/** The media types that are sent while they are made, so that they cannot be kept. */
export function isStream(contentType: string | null): boolean {
  return (
    contentType !== null &&
    /^(?:text\/event-stream|application\/x-ndjson|multipart\/x-mixed-replace)\b/i.test(contentType)
  );
}
