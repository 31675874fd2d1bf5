/** An answer as it is kept and replayed: nothing but data. */
export interface Answer {
  readonly status: number;
  /** Names in lower case, only those the policy lets through; never `set-cookie`. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body's bytes as they were sent, still compressed if they were; `null` where there was none. */
  readonly body: Uint8Array | null;
  /** False where the answer was a stream or too large: status and headers are kept, the body is not. */
  readonly bodyKept: boolean;
}

/** Fields only the guard may set; a handler that sets one, or passes one on from behind it, is not believed. */
export const guardHeaders: readonly string[] = ['idempotency-replayed', 'idempotency-retention', 'idempotency-note'];

/** Statuses that may carry no body: a `Response` made with one throws (Fetch, "null body status"). */
const bodiless = new Set([101, 103, 204, 205, 304]);

/** Whether `new Response` refuses a body for this status. */
export function isBodiless(status: number): boolean {
  return bodiless.has(status);
}

/** A kept or given answer as a `Response`. */
export function toResponse(answer: Answer): Response {
  const headers = new Headers();
  for (const [name, value] of answer.headers) headers.append(name, value);
  return new Response(bodiless.has(answer.status) ? null : (answer.body as BodyInit | null), {
    status: answer.status,
    headers,
  });
}

/** The kept form of an answer whose parts are already plain. */
export function plainAnswer(
  status: number,
  headers: Iterable<readonly [string, string]>,
  body: string | Uint8Array | null,
): Answer {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return { status, headers: [...headers], body: bytes, bodyKept: true };
}

/**
 * A JSON answer for `withIdempotency`.
 *
 * @param init.status @default 200
 */
export function jsonAnswer(value: unknown, init: { status?: number; headers?: Record<string, string> } = {}): Answer {
  const headers = Object.entries(init.headers ?? {}).map(([name, text]) => [name.toLowerCase(), text] as const);
  return plainAnswer(init.status ?? 200, [['content-type', 'application/json'], ...headers], JSON.stringify(value));
}
