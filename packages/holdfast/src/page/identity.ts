import type { OutboxConfig } from '../core/options';
import { act } from '../flow/acts/find';
import { bury } from '../flow/bury';
import { log, type Context } from '../flow/context';
import type { Outbox } from './client';
import type { createReader } from './read';

/** Who is signed in, as this page knows it. */
export interface Identity {
  /** Whom entries are made and sent for; `''` where the app has no subjects, null when it has and nobody is known. */
  readonly subject: () => Promise<string | null>;
  acts(
    context: Context,
    reader: ReturnType<typeof createReader>,
    wake: () => void,
    refresh: () => Promise<unknown>,
  ): Pick<Outbox, 'setSubject' | 'signedIn' | 'beforeSignOut'>;
}

export function createIdentity(config: OutboxConfig): Identity {
  let told: { readonly subject: string | null } | undefined;
  const subject = async (): Promise<string | null> => (told ? told.subject : config.subject ? config.subject() : '');
  return {
    subject,
    acts: (context, reader, wake, refresh) => ({
      async setSubject(next) {
        told = { subject: next };
        await refresh();
        wake();
      },
      async signedIn() {
        await act(context, (ledger, who) => {
          const { [who]: _, ...others } = ledger.gates.signIn;
          return Promise.resolve(ledger.setGates({ ...ledger.gates, signIn: others }));
        });
        wake();
      },
      async beforeSignOut() {
        const stats = await reader.stats();
        return {
          pending: stats.waiting.pending + stats.waiting.sending,
          dead: stats.dead.open,
          discard: () => discard(context),
          sendNow: () => Promise.resolve(wake()),
        };
      },
    }),
  };
}

/** How many one transaction closes. */
const step = 200;

/** Takes back everything of this subject that waits: a recorded act, so the rows stay in the list as cancelled. */
async function discard(context: Context): Promise<number> {
  let discarded = 0;
  for (;;) {
    const now = context.system.now();
    const done = await act(context, async (ledger, subject) => {
      const waiting = await ledger.rows.list({ subject, state: 'pending', limit: step });
      for (const entry of waiting)
        await bury(ledger, entry, { reason: 'cancelled', message: 'discarded at sign-out', at: now });
      return waiting.length;
    });
    discarded += done;
    if (done < step) break;
  }
  log(context, { event: 'cancel', queued: 0, reason: 'sign-out', message: `${discarded} discarded` });
  return discarded;
}
