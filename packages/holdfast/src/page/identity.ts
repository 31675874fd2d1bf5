import type { Json } from '../core/entry';
import type { Message } from '../core/messages';
import { asOutboxError } from '../core/errors';
import { act } from '../flow/acts/find';
import { purge } from '../flow/acts/purge';
import { signedIn } from '../flow/acts/sign-in';
import { exportEntries } from '../flow/acts/transfer';
import { atMost } from '../flow/at-most';
import { bury } from '../flow/bury';
import { log, type Context } from '../flow/context';
import { isStrayed, putAside } from '../flow/lane';
import type { Outbox, SignOut } from './client';
import type { createReader } from './read';

/** What signing in and out needs of the page. */
export interface IdentityTools {
  readonly context: Context;
  readonly reader: ReturnType<typeof createReader>;
  /** Has the queue looked at; does not wait for it. */
  readonly wake: () => void;
  readonly refresh: () => Promise<unknown>;
  /** Resolves when nothing of this subject waits. */
  readonly whenIdle: () => Promise<void>;
}

/** How long `sendNow` waits unless told otherwise, ms. */
const sendMs = 10_000;

/** Who is signed in, and what follows from signing in and out. */
export function identityActs(
  tools: IdentityTools,
): Pick<Outbox, 'setSubject' | 'signedIn' | 'beforeSignOut' | 'purge'> {
  const { context, reader, wake, refresh } = tools;

  async function setSubject(id: string | null): Promise<void> {
    const at = context.system.now();
    const tell = (revision: number): void =>
      context.channel.post({ v: 1, type: 'changed', outbox: context.config.name, revision, ids: [] } satisfies Message);
    // Whoever sends has to ask anew before its next request, from before this is written.
    tell(0);
    const revision = await context.store.transact('strict', async (rows) => {
      await rows.putControl('subject', { id, at });
      return (await rows.control('book'))?.revision ?? 0;
    });
    // Other tabs show the former subject's entries until they look again.
    tell(revision);
    await refresh();
    wake();
  }

  return {
    setSubject,
    async signedIn() {
      await signedIn(context);
      wake();
    },
    async beforeSignOut(): Promise<SignOut> {
      return {
        ...(await unsent(reader)),
        async keep() {
          try {
            const known = await context.store.transact('read', (rows) => rows.control('subject'));
            if (known) await setSubject(null);
          } catch (error) {
            log(context, { event: 'error', message: `signed out without the outbox: ${String(error)}` });
          }
        },
        async sendNow(waitMs = sendMs) {
          wake();
          await atMost(
            context.system,
            waitMs,
            tools.whenIdle().catch(() => undefined),
          );
          return (await unsent(reader)).pending;
        },
        discard: () => discard(context),
        export: async () => (await exportEntries(context)) as unknown as Json,
      };
    },
    purge: async (subject) => purge(context, subject ?? (await context.subject()) ?? ''),
  };
}

/** A store that cannot be asked keeps nobody signed in. */
async function unsent(reader: IdentityTools['reader']): Promise<Pick<SignOut, 'pending' | 'dead' | 'problem'>> {
  try {
    const { waiting, dead } = await reader.stats();
    return { pending: waiting.pending + waiting.sending, dead: dead.open };
  } catch (error) {
    const { code, message } = asOutboxError(error, 'storage-unavailable', 'what is unsent could not be read');
    return { pending: 0, dead: 0, problem: { code, message } };
  }
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
