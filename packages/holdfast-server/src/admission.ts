import type { Answer } from './answer';
import type { Asked } from './asked';
import { HoldfastServerError } from './errors';
import type { GuardEventName } from './events';
import { fingerprint } from './fingerprint';
import { decide } from './guard';
import { createHeartbeat } from './heartbeat';
import { withDefaults } from './options';
import type { FullOptions, GuardOptions } from './options';
import type { ProblemCode } from './problem-type';
import { refusal } from './refusal';
import { bodyNotKept, startRun } from './run';
import type { Run } from './run';
import { scopeId } from './scope';
import type { Scope } from './scope';
import type { ClaimAsk, Sighting, StoreStats } from './store';
import { createStoreAccess } from './store-access';
import { readKey } from './syntax';
import { createTeller } from './teller';
import type { About } from './teller';

/** A request as the guard needs it, whatever framework it came through. */
export interface Incoming<Source> {
  /** What the app's own functions in the options are handed. */
  readonly source: Source;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** A field's value, several lines joined by `, `; `null` if there is none. `name` is in lower case. */
  header(name: string): string | null;
  /** The whole body, or `undefined` if it is larger than the limit. Called at most once. */
  body(limitBytes: number): Uint8Array | undefined | Promise<Uint8Array | undefined>;
}

/** What becomes of a request. */
export type Admission =
  /** Not ours: the handler runs as if there were no guard. `note` is a header to add. */
  | { readonly kind: 'pass'; readonly headers: readonly (readonly [string, string])[] }
  /** The handler does not run; this is the answer. */
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** The handler runs, and `run` hears how it went. */
  | { readonly kind: 'run'; readonly run: Run };

/** A principal; both of the others stand for a caller nobody knows. */
export type Named = string | null | undefined;

export interface Guard<Source> {
  admit(request: Incoming<Source>): Promise<Admission>;
  /** What is known of a key, for `GET` status requests. @throws HoldfastServerError `store-unavailable` */
  look(scope: Scope): Promise<Sighting>;
  /** Who the caller is by the options. */
  principalOf(request: Incoming<Source>): Named | Promise<Named>;
  /** Cleans up at most `limit` records now. */
  sweep(limit?: number): Promise<number>;
  /** Counts over the store and over this process since it started. */
  stats(): Promise<GuardStats>;
  readonly options: FullOptions<Source>;
}

export interface GuardStats extends StoreStats {
  /** How often each event happened in this process. */
  readonly events: Readonly<Partial<Record<GuardEventName, number>>>;
}

export function createGuard<Source>(given: GuardOptions<Source>): Guard<Source> {
  const options = withDefaults(given);
  const { system, store } = options;
  const teller = createTeller(system, given.on);
  const { tell } = teller;
  const access = createStoreAccess(store, system, options.storeTimeoutMs, tell);
  const heartbeat = createHeartbeat(system, options.leaseMs / 3);
  const methods = new Set(options.methods);
  const ownerPrefix = `${system.uniqueId()}.`;
  let owners = 0;
  let sweptAt = system.now();
  let warned = false;

  async function refuse(
    code: ProblemCode,
    about?: About,
    words?: { readonly detail?: string; readonly retryAfterMs?: number },
  ): Promise<Admission> {
    tell('refuse', about, { detail: code });
    return { kind: 'answer', answer: await refusal(code, options, words) };
  }

  function principalOf(request: Incoming<Source>): Named | Promise<Named> {
    if (options.principal) return options.principal(request.source);
    const authorization = request.header('authorization');
    const cookie = request.header('cookie');
    if (authorization === null && cookie === null) return undefined;
    if (!warned) {
      warned = true;
      const detail = 'no `principal` option: a caller whose token or cookie changes is taken for another one';
      tell('warning', undefined, { detail });
    }
    return JSON.stringify([authorization, cookie]);
  }

  async function admit(request: Incoming<Source>): Promise<Admission> {
    if (!methods.has(request.method)) return pass;
    const reading = readKey(request.header(options.header), options.maxKeyLength);
    if (reading.kind === 'absent') {
      const { required } = options;
      const wanted = typeof required === 'function' ? required(request.source) : required;
      const detail = `Send a key of your own making in ${options.header}.`;
      return wanted ? refuse('key-missing', undefined, { detail }) : pass;
    }
    if (reading.kind === 'malformed') {
      const { whyMalformed } = await import('./malformed');
      const why = whyMalformed(reading.text, options.maxKeyLength);
      return refuse('key-malformed', undefined, { detail: `Send one quoted string: ${why}.` });
    }

    const { key } = reading;
    const { method, target } = request;
    // What is at hand is not waited for: each turn of the queue shows in what a request costs.
    const named = principalOf(request);
    const principal = (typeof named === 'object' && named !== null ? await named : named) ?? undefined;
    const read = request.body(options.maxBodyBytes);
    const bytes = read instanceof Promise ? await read : read;
    if (!bytes) {
      return refuse('body-too-large', undefined, { detail: `At most ${options.maxBodyBytes} bytes come with a key.` });
    }
    const id = scopeId({ principal, method, target, key });
    const payload = {
      bytes,
      contentType: request.header('content-type'),
      contentEncoding: request.header('content-encoding'),
    };
    const print = fingerprint(payload, options.fingerprint);
    const claim: ClaimAsk = {
      id: typeof id === 'string' ? id : await id,
      fingerprint: typeof print === 'string' ? print : await print,
      owner: ownerPrefix + (owners += 1).toString(36),
      leaseMs: options.leaseMs,
      retentionMs: options.retentionMs,
      tombstoneMs: options.tombstoneMs,
    };
    sweepNowAndThen();
    return settle({ id: claim.id, method, target, source: request.source, claim, key, principal });
  }

  function begin(asked: Asked<Source>, runs: number): Admission {
    tell(runs > 1 ? 'rerun' : 'run', asked);
    return { kind: 'run', run: startRun({ options, access, heartbeat, asked, runs, tell }) };
  }

  function replay(asked: Asked<Source>, answer: Answer): Admission {
    tell('replay', asked, { status: answer.status });
    return { kind: 'answer', answer: asReplay(answer) };
  }

  /** Claims until it is clear what to do; only a wait for a running request makes it claim twice. */
  async function settle(asked: Asked<Source>): Promise<Admission> {
    const { claim } = asked;
    const waitUntil = system.now() + options.waitMs;
    let pauseMs = 20;
    let lookedAgain = false;
    let claiming = false;
    try {
      for (;;) {
        claiming = true;
        const claimed = await access.call((s) => s.claim(claim));
        claiming = false;
        const verdict = decide(claimed, claim.fingerprint);
        switch (verdict.move) {
          case 'run':
            return begin(asked, verdict.runs);
          case 'replay':
            return replay(asked, verdict.answer);
          case 'reject':
            return await refuse(verdict.code, asked);
          case 'recover': {
            const { recover } = await import('./recover');
            const recovered = await recover(options, access, asked, verdict.previousOwner);
            if (recovered.kind === 'refuse') return await refuse('outcome-unknown', asked);
            if (recovered.kind === 'rerun') return begin(asked, recovered.runs);
            if (recovered.kind === 'answered') return replay(asked, recovered.answer);
            // Somebody was faster, or holds the record in a transaction that is still open.
            if (lookedAgain) return await refuse('in-progress', asked);
            lookedAgain = true;
            continue;
          }
          case 'wait': {
            const leftMs = waitUntil - system.now();
            if (leftMs <= 0) return await refuse('in-progress', asked);
            await new Promise<void>((resolve) => void system.after(Math.min(pauseMs, leftMs), resolve));
            pauseMs = Math.min(500, pauseMs * 2);
          }
        }
      }
    } catch (error) {
      if (!(error instanceof HoldfastServerError) || error.code !== 'store-unavailable') throw error;
      // A claim whose call failed may have been written all the same. No handler runs under it, so it is taken back.
      if (claiming && error.cause !== undefined) access.owe((s) => s.release(claim.id, claim.owner));
      return withoutStore(asked, error);
    }
  }

  async function withoutStore(asked: Asked<Source>, error: unknown): Promise<Admission> {
    const { onStoreError } = options;
    const ruling = typeof onStoreError === 'function' ? onStoreError(asked.source) : onStoreError;
    if (ruling === 'reject-503') {
      return refuse('store-unavailable', asked, { retryAfterMs: access.retryAfterMs() });
    }
    tell('unprotected', asked, { error });
    return { kind: 'pass', headers: [['idempotency-note', 'not-deduplicated']] };
  }

  /** The retention is published on every answer a key can be told about, so that callers learn it before they need it. */
  function asReplay(answer: Answer): Answer {
    const headers = [
      ...answer.headers,
      ['idempotency-replayed', 'true'] as const,
      ['idempotency-retention', String(Math.floor(options.retentionMs / 1_000))] as const,
    ];
    return { ...answer, headers: answer.bodyKept ? headers : [...headers, bodyNotKept] };
  }

  function sweepNowAndThen(): void {
    const now = system.now();
    if (options.sweepEveryMs === 0 || now - sweptAt < options.sweepEveryMs) return;
    sweptAt = now;
    sweep().catch(() => undefined); // told already
  }

  async function sweep(limit: number = options.sweepLimit): Promise<number> {
    const swept = await access.call((s) => s.sweep(limit));
    tell('sweep', undefined, { detail: String(swept) });
    return swept;
  }

  return {
    admit,
    principalOf,
    sweep,
    look: async (scope) => {
      const id = await scopeId(scope);
      return access.call((s) => s.look(id));
    },
    stats: async () => ({ ...(await access.call((s) => s.stats())), events: teller.counts() }),
    options,
  };
}

const pass: Admission = { kind: 'pass', headers: [] };
