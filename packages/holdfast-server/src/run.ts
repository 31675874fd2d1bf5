import type { Answer } from './answer';
import { HoldfastServerError } from './errors';
import type { Heartbeat } from './heartbeat';
import { Fresh, pickHeaders } from './keep-answer';
import type { Fields } from './keep-answer';
import type { FullOptions } from './options';
import { refusal } from './refusal';
import { LiveContext } from './run-context';
import type { RunContext } from './run-context';
import type { StoreAccess } from './store-access';
import type { About, Teller } from './teller';

/** A handler's answer, as far as it is known before it is sent. */
export interface Outcome {
  readonly status: number;
  readonly headers: Fields;
  /** `null` where there is none. */
  readonly body: Uint8Array | null;
  /** False if the body is a stream or too large to keep. */
  readonly bodyKept: boolean;
}

/** What to send: the handler's own answer with more headers, or another one instead. */
export type Conclusion =
  | { readonly kind: 'own'; readonly headers: readonly (readonly [string, string])[] }
  | { readonly kind: 'instead'; readonly answer: Answer };

/** A handler's run, from claim to answer: it is concluded or fails, once. */
export interface Run {
  readonly context: RunContext;
  /** The handler answered. */
  conclude(outcome: Outcome): Promise<Conclusion>;
  /** The handler threw. Undefined: the error is the app's to handle, and the key is free again. */
  fail(error: unknown): Promise<Answer | undefined>;
  /** The caller is gone and nothing more may come: the lease is not renewed any longer. A late answer is still kept. */
  abandon(): void;
}

export interface RunParts {
  readonly options: FullOptions<never>;
  readonly access: StoreAccess;
  readonly heartbeat: Heartbeat;
  readonly asked: About & Pick<RunContext, 'claim' | 'key' | 'principal'>;
  readonly runs: number;
  readonly tell: Teller['tell'];
}

export function startRun(parts: RunParts): Run {
  const { options, access, heartbeat, asked, tell } = parts;
  const { claim } = asked;
  const startedAt = options.system.now();
  const retention = ['idempotency-retention', String(Math.floor(options.retentionMs / 1_000))] as const;
  const context = new LiveContext(asked, parts.runs);

  const stopBeating = heartbeat.start(() => {
    if (options.system.now() - startedAt > options.maxRunMs) return stopBeating();
    access
      .call((store) => store.renew(claim.id, claim.owner, options.leaseMs))
      .then((still) => (still ? undefined : loseLease()))
      .catch(() => undefined); // told already; the next beat tries again
  });

  function loseLease(): void {
    if (context.isLost || context.keptAnswer) return;
    stopBeating();
    tell('lease-lost', asked, { detail: 'the key went to another run; this one keeps nothing' });
    context.lose();
  }

  /** Writes the answer; if the store cannot be reached, it is owed, and this handler's caller gets it all the same. */
  async function keep(answer: Answer): Promise<boolean> {
    try {
      const kept = await access.call((store) => store.finish(claim, answer));
      if (kept) tell('keep', asked, { status: answer.status });
      return kept;
    } catch {
      access.owe((store) => store.finish(claim, answer));
      return true;
    }
  }

  /** False: the key is somebody else's already. */
  async function free(status: number | undefined): Promise<boolean> {
    tell('release', asked, status === undefined ? {} : { status });
    try {
      return await access.call((store) => store.release(claim.id, claim.owner));
    } catch {
      access.owe((store) => store.release(claim.id, claim.owner));
      return true;
    }
  }

  /** What this run says no longer counts; whoever owns the key now has the answer. */
  async function sendBack(): Promise<Conclusion> {
    loseLease();
    return { kind: 'instead', answer: await refusal('in-progress', options) };
  }

  return {
    context,
    async conclude({ status, headers, body, bodyKept }) {
      stopBeating();
      if (context.keptAnswer) return { kind: 'own', headers: [retention] };
      const kept = options.keepAnswer(new Fresh(status, headers, context.hasCommitted));
      if (!kept || (!bodyKept && options.onUnstorable === 'rerun')) {
        return (await free(status)) ? { kind: 'own', headers: [] } : sendBack();
      }
      const answer = {
        status,
        headers: pickHeaders(headers, options.keepHeaders),
        body: bodyKept ? body : null,
        bodyKept,
      };
      if (!(await keep(answer))) return sendBack();
      return { kind: 'own', headers: bodyKept ? [retention] : [retention, bodyNotKept] };
    },
    async fail(error) {
      stopBeating();
      if (context.keptAnswer) return undefined;
      if (error instanceof HoldfastServerError && error.code === 'lease-lost') {
        loseLease();
        return refusal('in-progress', options);
      }
      if (!context.hasCommitted) {
        await free(undefined);
        return undefined;
      }
      await keep(await refusal('failed-after-commit', options));
      return undefined;
    },
    abandon: stopBeating,
  };
}

/** Says of an answer that a replay of it will have no body. */
export const bodyNotKept = ['idempotency-note', 'body-not-kept'] as const;
