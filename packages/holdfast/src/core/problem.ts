/** What a problem document says; members of a wrong type are as good as absent, and extensions are left out. */
export interface Problem {
  /** URI reference, possibly relative. `about:blank` when the document names none. */
  readonly type: string;
  readonly title?: string;
  /** Advisory: the status line decides. */
  readonly status?: number;
  readonly detail?: string;
  readonly instance?: string;
}

/**
 * Reads a JSON problem document. It never throws: a broken document is none.
 * @param contentType the answer's media type with any parameters, or null when it had none
 * @returns           the problem, or null when the answer carries none
 * @see RFC 9457 section 3
 */
export function parseProblem(contentType: string | null, body: string): Problem | null {
  if (mediaType(contentType) !== 'application/problem+json') return null;
  const members = parseObject(body);
  if (!members) return null;
  const text = (name: string): string | undefined => {
    const value = members[name];
    return typeof value === 'string' ? value : undefined;
  };
  const [title, detail, instance] = [text('title'), text('detail'), text('instance')];
  const status = members['status'];
  return {
    type: text('type') ?? 'about:blank',
    ...(title !== undefined && { title }),
    ...(typeof status === 'number' && { status }),
    ...(detail !== undefined && { detail }),
    ...(instance !== undefined && { instance }),
  };
}

/** A media type without its parameters, in lower case; `''` for none. */
export function mediaType(contentType: string | null): string {
  return (contentType ?? '').split(';', 1).join('').trim().toLowerCase();
}

function parseObject(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
