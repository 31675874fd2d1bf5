/** One request within a batch. */
export interface BatchedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | null;
  /** What comes after a failure of the same lane is not begun; undefined: nobody waits for it, nor it for anybody. */
  readonly lane: string | undefined;
}

/** What one request within a batch got. */
export interface BatchedAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | null;
}

type Body = { readonly text: string } | { readonly base64: string };

/**
 * The call's body, JSON. After a failure of any kind the rest of a lane stays here: what a failure means is decided on this side.
 */
export function pack(requests: readonly BatchedRequest[]): Uint8Array {
  const parts = requests.map(({ method, target, headers, body, lane }) => ({
    method,
    target,
    headers,
    ...(lane !== undefined && { lane }),
    ...(body && body.byteLength > 0 && { body: bodyOf(body) }),
  }));
  return new TextEncoder().encode(JSON.stringify({ stop: 'failure', requests: parts }));
}

/** What each got, in order; undefined when the text is no answer to a batch of that many. */
export function unpack(text: string, count: number): readonly BatchedAnswer[] | undefined {
  try {
    const { answers } = JSON.parse(text) as { answers?: unknown };
    if (!Array.isArray(answers) || answers.length !== count) return undefined;
    return answers.map(answerOf);
  } catch {
    return undefined;
  }
}

/** @throws Error when it is none */
function answerOf(value: unknown): BatchedAnswer {
  const { status, headers, body } = value as { status: unknown; headers: unknown; body: Body | null };
  const isStatus = Number.isInteger(status) && (status as number) >= 200 && (status as number) <= 599;
  if (!isStatus || !Array.isArray(headers) || !headers.every(isPair)) throw new Error('no answer');
  return { status: status as number, headers, body: body === null ? null : bytesOf(body) };
}

function isPair(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');
}

/** As text where that loses nothing: a leading byte order mark would be dropped. */
function bodyOf(bytes: Uint8Array): Body {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    let letters = '';
    for (let at = 0; at < bytes.length; at += 8_192) letters += String.fromCharCode(...bytes.subarray(at, at + 8_192));
    return { base64: btoa(letters) };
  }
}

/** @throws Error when it is neither */
function bytesOf(body: Body): Uint8Array {
  if ('text' in body) return new TextEncoder().encode(body.text);
  return Uint8Array.from(atob(body.base64), (letter) => letter.charCodeAt(0));
}
