/** Requests a strategy has just tried in vain: nobody knows whether they arrived. */
const requests = new WeakSet<Request>();

export function markAttempted(request: Request): void {
  requests.add(request);
}

export function wasAttempted(request: Request): boolean {
  return requests.has(request);
}
