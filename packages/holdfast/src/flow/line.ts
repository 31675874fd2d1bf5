import type { Entry } from '../core/entry';
import type { Context } from './context';
import { doorOf } from './door';
import { topUp } from './parcel';
import { groupMax, type Settler } from './settler';

/** What one slot has before it: what was claimed for it, and more while it gets on well. */
export interface Line {
  /** The next to go; undefined when there is nobody left. */
  next(): Promise<Entry | undefined>;
  /** Those behind it, as far as they are claimed. */
  rest(): readonly Entry[];
  /** Whether the one `next` gave was claimed too long ago to begin with it. */
  isStale(): boolean;
  /** Nobody is left, and nobody is on the way. */
  isOver(): boolean;
  /** All is well: asks for more, if what is left is soon done and the slot has not been at it for long. */
  grow(): void;
}

export interface LineOptions {
  readonly settler: Settler;
  readonly subject: string | null;
  readonly mayGoOn: () => boolean;
  readonly grew: (until: number) => void;
}

/** What was claimed longer ago than this is not begun but given back: what holds entries back may be different now, ms. */
const freshMs = 500;

/** A line of fewer is one that is tried out: slow, or not well known yet. */
const provenSize = groupMax;

export function createLine(context: Context, parcel: readonly Entry[], options: LineOptions): Line {
  const { system } = context;
  const startedAt = system.now();
  const ahead = parcel.map((entry) => ({ entry, since: startedAt }));
  let last = parcel.at(-1);
  let since = startedAt;
  let begun = 0;
  let more: Promise<void> | undefined;
  const canGrow = parcel.length >= provenSize && last !== undefined && !doorOf(context, last);
  const isOld = (moment: number): boolean => Math.abs(system.now() - moment) > freshMs;

  async function claimMore(behind: Entry): Promise<void> {
    const since = system.now();
    const going = { subject: options.subject, last: behind, size: groupMax };
    const taken = await options.settler.alongside((ledger) => topUp(ledger, context, going));
    last = taken.at(-1) ?? last;
    if (last?.lease) options.grew(last.lease.until);
    ahead.push(...taken.map((entry) => ({ entry, since })));
  }

  return {
    async next() {
      if (ahead.length === 0 && more) {
        void options.settler.flush();
        await more;
      }
      const going = ahead.shift();
      begun += 1;
      since = going?.since ?? since;
      return going?.entry;
    },
    rest: () => ahead.map(({ entry }) => entry),
    isStale: () => begun > 1 && isOld(since),
    isOver: () => ahead.length === 0 && !more,
    grow() {
      if (!canGrow || !last || more || ahead.length > groupMax || isOld(startedAt) || !options.mayGoOn()) return;
      more = claimMore(last)
        // Not written, so not taken either.
        .catch(() => undefined)
        .finally(() => (more = undefined));
    },
  };
}
