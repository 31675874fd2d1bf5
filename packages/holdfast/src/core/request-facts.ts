/** What a route may ask of a request; plain values, no body. */
export interface RequestFacts {
  /** Upper case for the standard methods. */
  readonly method: string;
  /** Absolute, without fragment. */
  readonly url: string;
  readonly origin: string;
  /** Begins with `/`. */
  readonly path: string;
  /** With the leading `?`, or `''`. */
  readonly search: string;
  /** `navigate` for a form post; otherwise as the request was made. */
  readonly mode: string;
  /** What the route's pattern captured: `:id` in `/docs/:id`. */
  readonly params: Readonly<Record<string, string>>;
  /** Value of a header, joined with `, `, or null. */
  header(name: string): string | null;
}

/** `origin`, `path` and `search` of an absolute URL; the core has no URL parser, and callers hand it normalised URLs. */
export function urlParts(url: string): { readonly origin: string; readonly path: string; readonly search: string } {
  const match = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)([^?#]*)(\?[^#]*)?/i.exec(url);
  return { origin: match?.[1] ?? '', path: match?.[2] || '/', search: match?.[3] ?? '' };
}
