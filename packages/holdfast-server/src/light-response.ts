/**
 * The body a response was made with, if it can be told without reading it: `@hono/node-server` keeps what a `Response` was
 * made of and makes the real one only for who asks for more. Reading a stream of our own answer's bytes and making another
 * response of them costs more than all the rest of the guard.
 *
 * @returns `undefined` for every other response, and whenever what is found is not what we know: it is then read as usual
 */
export function bodyMadeWith(response: Response): string | Uint8Array | null | undefined {
  const cache = Object.getOwnPropertySymbols(response).find(({ description }) => description === 'cache');
  const parts = cache && (response as unknown as Record<symbol, unknown>)[cache];
  if (!Array.isArray(parts) || parts.length !== 3) return undefined;
  const [status, body] = parts as [unknown, unknown];
  if (status !== response.status) return undefined;
  return body === null || typeof body === 'string' || body instanceof Uint8Array ? body : undefined;
}
