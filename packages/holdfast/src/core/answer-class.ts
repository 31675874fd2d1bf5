/**
 * What an attempt came to. `classify.ts` gives one to every answer and every failure; retry budgets, the breaker, logs
 * and statistics are kept per class.
 */
export type AnswerClass =
  /** The server did it. */
  | 'delivered'
  /** An opaque answer: done, as far as anybody can tell. */
  | 'unverified'
  /** Nothing reached any server. */
  | 'offline'
  /** Something answered in the server's place (captive portal, 511). */
  | 'captive'
  /** The request failed while others get through. */
  | 'network'
  /** Our own deadline passed. */
  | 'timeout'
  /** 5xx and kin: try again. */
  | 'server'
  /** 429 and 503: the whole origin is left alone for a while. */
  | 'overload'
  /** The same key is being worked on right now. */
  | 'in-progress'
  /** 409 or 412. */
  | 'conflict'
  /** 401 (403, 419, 440 by option). */
  | 'auth'
  /** A redirect changed the method, so the body never arrived. */
  | 'redirected'
  /** The server refused it for good. */
  | 'rejected';
