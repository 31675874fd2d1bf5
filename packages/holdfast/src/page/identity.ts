import type { Json } from '../core/entry';
import { act } from '../flow/acts/find';
import { purge } from '../flow/acts/purge';
import { signedIn } from '../flow/acts/sign-in';
import { exportEntries } from '../flow/acts/transfer';
import { bury } from '../flow/bury';
import { log, type Context } from '../flow/context';
import { isStrayed, putAside } from '../flow/lane';
import type { Outbox } from './client';
import type { createReader } from './read';

/** Who is signed in, and what follows from signing in and out. */
export function identityActs(
  context: Context,
  reader: ReturnType<typeof createReader>,
  wake: () => void,
  refresh: () => Promise<unknown>,
): Pick<Outbox, 'setSubject' | 'signedIn' | 'beforeSignOut' | 'purge'> {
  return {
    async setSubject(id) {
      const at = context.system.now();
      await context.store.transact('strict', (rows) => rows.putControl('subject', { id, at }));
      await refresh();
      wake();
    },
    async signedIn() {
      await signedIn(context);
      wake();
    },
    async beforeSignOut() {
      const stats = await reader.stats();
      return {
        pending: stats.waiting.pending + stats.waiting.sending,
        dead: stats.dead.open,
        discard: () => discard(context),
        sendNow: () => Promise.resolve(wake()),
        export: async () => (await exportEntries(context)) as unknown as Json,
      };
    },
    purge: async (subject) => purge(context, subject ?? (await context.subject()) ?? ''),
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
      for (const entry of waiting) {
        if (isStrayed(entry)) await putAside(ledger, entry);
        else await bury(ledger, entry, { reason: 'cancelled', message: 'discarded at sign-out', at: now });
      }
      return waiting.length;
    });
    discarded += done;
    if (done < step) break;
  }
  log(context, { event: 'cancel', queued: 0, reason: 'sign-out', message: `${discarded} discarded` });
  return discarded;
}
