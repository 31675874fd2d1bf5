import type { Session } from '../wire';

/** Keeps answers about who is signed in in line, so that the latest word is the one that stays. */
export interface SessionLine {
  /** Asks, and takes the answer unless somebody has signed in or out meanwhile: it would be about the time before. */
  learn(read: () => Promise<Session | null>): Promise<void>;
  /** What came of signing in or out. */
  say(session: Session): Promise<void>;
}

/** @param take writes one session down; the next is not begun before it is done */
export function sessionLine(take: (session: Session) => Promise<void>): SessionLine {
  let said = 0;
  let last: Promise<void> = Promise.resolve();
  const inLine = (session: Session): Promise<void> => {
    // One that could not be written down is its caller's failure, not the next one's.
    last = last.catch(() => undefined).then(() => take(session));
    return last;
  };
  return {
    async learn(read) {
      const before = said;
      const found = await read();
      if (found && said === before) await inLine(found);
    },
    say(session) {
      said += 1;
      return inLine(session);
    },
  };
}
