import type { ClaimAsk } from './store';
import type { About } from './teller';

/** A request whose key, caller and payload are known. */
export interface Asked<Source> extends About {
  readonly source: Source;
  readonly claim: ClaimAsk;
  readonly key: string;
  readonly principal: string | undefined;
}
