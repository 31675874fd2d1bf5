import type { Resolved, ResolvedRoute } from '../core/config';
import type { RequestFacts } from '../core/request-facts';
import type { System } from '../ports';

type Asked = Omit<RequestFacts, 'params'>;

/** What a development build says about likely mistakes, once each, on the console. */
export interface Hints {
  /** An outbox was opened in a page. */
  page(config: Resolved, system: Pick<System, 'timer'>): void;
  /** An outbox was installed in a worker; `uncontrolled` counts the windows it does not control. */
  worker(config: Resolved, system: Pick<System, 'timer'>, uncontrolled: () => Promise<number>): void;
  /** A request was seen, and taken by a route or by none. */
  request(request: Asked, route: ResolvedRoute | undefined, config: Resolved, ownOrigin: string): void;
  /** The worker that controls the page does not know this outbox. */
  strangeWorker(name: string): void;
}

/**
 * A production build says nothing, and has nothing to say it with. In the published package this module is `#hints`, which
 * bundlers and Node exchange for `hints.development.ts` under the condition `development`.
 */
export const hints = undefined as Hints | undefined;
