/** What we use of a client's socket; a cluster's client has none of its own. */
export interface CorkedSocket {
  cork(): void;
  uncork(): void;
}

/**
 * Lets what is sent in one turn of the event loop leave in one write. Requests that came in together ask together, and each
 * write of its own is a call into the system, which costs about as much as all we do for a request.
 *
 * @param socketOf asked each time, since a client that reconnects has another one
 * @returns        a function to call before each sending
 */
export function oneWriteATurn(socketOf: () => CorkedSocket | undefined): () => void {
  let corked: CorkedSocket | undefined;

  function uncork(): void {
    corked?.uncork();
    corked = undefined;
  }

  return () => {
    if (corked) return;
    corked = socketOf();
    if (!corked) return;
    corked.cork();
    setImmediate(uncork);
  };
}
