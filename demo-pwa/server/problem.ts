/** A refusal the caller can read: thrown anywhere in the API and sent as `application/problem+json` (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly title: string;
  /** Further members of the problem document. */
  readonly more: Readonly<Record<string, unknown>>;

  constructor(status: number, title: string, detail: string, more: Readonly<Record<string, unknown>> = {}) {
    super(detail);
    this.status = status;
    this.title = title;
    this.more = more;
  }
}

export function problemResponse(problem: Problem, headers: Readonly<Record<string, string>> = {}): Response {
  const { status, title, message, more } = problem;
  return new Response(JSON.stringify({ type: 'about:blank', title, status, detail: message, ...more }), {
    status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
  });
}
