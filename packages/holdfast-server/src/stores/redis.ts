import { createHash } from 'node:crypto';
import { sight } from '../record';
import type { Claim, ClaimAsk, Sighting, Store, StoreStats } from '../store';
import { oneWriteATurn } from './one-write';
import type { CorkedSocket } from './one-write';
import { redisScripts } from './redis-scripts';
import { answerValue, recordOf } from './redis-value';

/** What we use of an `ioredis` client or cluster: any command, its answer as bytes. */
export interface RedisClient {
  callBuffer(command: string, ...args: (string | number | Buffer)[]): Promise<unknown>;
  /** The socket of a single server's client. Without one, each command is a write of its own. */
  readonly stream?: unknown;
}

export interface RedisStoreOptions {
  readonly client: RedisClient;
  /** Before every key of ours. @default 'holdfast:' */
  readonly prefix?: string;
  /** Epoch milliseconds. @default the server's own clock, so that all machines agree */
  readonly clock?: () => number;
  /** Hears, once, if the server may evict keys. @default a warning of the process */
  readonly onWarning?: (message: string) => void;
}

/**
 * Keeps keys and answers in Redis 5 or later, on one server or a cluster.
 *
 * Redis cannot write a row of the app's database together with the key: between the app's commit and the keeping of the
 * answer there is a moment in which a crash leaves an unknown outcome, and with `onUnknown: 'rerun'` a second effect. A
 * failover that loses the last writes does the same. Where that matters, keep keys in the database the rows are in.
 */
export function redisStore(options: RedisStoreOptions): Store {
  const { client, prefix = 'holdfast:', clock } = options;
  let checked = false;
  const together = oneWriteATurn(() => socketOf(client));

  /** Braces put both keys of a record on one node of a cluster. */
  const keyOf = (id: string): string => `${prefix}{${id}}`;

  async function run(
    name: keyof typeof redisScripts,
    id: string,
    ...args: (string | number | Buffer)[]
  ): Promise<unknown> {
    if (!checked) {
      checked = true;
      await warnIfEvicting(client, options.onWarning ?? ((message) => process.emitWarning(message)));
    }
    const key = keyOf(id);
    together();
    const rest = [2, key, `${key}:b`, clock ? clock() : '', ...args] as const;
    try {
      return await client.callBuffer('EVALSHA', hashes[name], ...rest);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return client.callBuffer('EVAL', redisScripts[name], ...rest);
    }
  }

  async function sightOf(id: string, reply: unknown): Promise<Sighting> {
    const [now, value] = reply as [number, Buffer | null];
    const longBody = async (): Promise<Buffer | null> => (await client.callBuffer('GET', `${keyOf(id)}:b`)) as Buffer;
    return sight(value ? await recordOf(value, longBody) : undefined, now);
  }

  async function claimBy(name: 'claim' | 'takeOver', ask: ClaimAsk, ...more: string[]): Promise<Claim> {
    const { id, owner, fingerprint, leaseMs, retentionMs, tombstoneMs } = ask;
    const reply = await run(name, id, owner, fingerprint, leaseMs, retentionMs, tombstoneMs, ...more);
    if (typeof reply === 'number') return { kind: 'claimed', runs: reply };
    const seen = await sightOf(id, reply);
    if (seen.kind === 'absent') throw new Error('a claim answered "absent"; the script is not ours');
    return seen;
  }

  return {
    claim: (ask) => claimBy('claim', ask),
    takeOver: (ask, previousOwner) => claimBy('takeOver', ask, previousOwner),
    renew: async (id, owner, leaseMs) => (await run('renew', id, owner, leaseMs)) === 1,
    async finish(ask, answer) {
      const { value, longBody } = answerValue(answer);
      const args = [ask.owner, ask.retentionMs, ask.tombstoneMs, value, ...(longBody ? [longBody] : [])];
      return (await run('finish', ask.id, ...args)) === 1;
    },
    release: async (id, owner) => (await run('release', id, owner)) === 1,
    look: async (id) => sightOf(id, await run('look', id)),
    /** Redis drops what is over by itself. */
    sweep: () => Promise.resolve(0),
    /** Looks at every key, a thousand at a time: for an operator's page, not for every minute. */
    async stats() {
      const counts = { running: 0, unknown: 0, done: 0, gone: 0 };
      let cursor = '0';
      do {
        const page = await client.callBuffer('SCAN', cursor, 'MATCH', `${globSafe(prefix)}{*}`, 'COUNT', 1_000);
        const [next, keys] = page as [Buffer, Buffer[]];
        cursor = next.toString();
        await Promise.all(keys.map((key) => count(counts, key.toString().slice(prefix.length + 1, -1))));
      } while (cursor !== '0');
      return counts;
    },
    close: () => Promise.resolve(),
  };

  async function count(counts: { -readonly [State in keyof StoreStats]: number }, id: string): Promise<void> {
    const { kind } = await sightOf(id, await run('look', id));
    if (kind !== 'absent') counts[kind] += 1;
  }
}

function socketOf({ stream }: RedisClient): CorkedSocket | undefined {
  const socket = stream as Partial<CorkedSocket> | null | undefined;
  return typeof socket?.cork === 'function' && typeof socket.uncork === 'function'
    ? (socket as CorkedSocket)
    : undefined;
}

const hashes = Object.fromEntries(
  Object.entries(redisScripts).map(([name, text]) => [name, createHash('sha1').update(text).digest('hex')]),
) as Record<keyof typeof redisScripts, string>;

/** An evicted key is a forgotten key: the next attempt would run again. */
async function warnIfEvicting(client: RedisClient, warn: (message: string) => void): Promise<void> {
  try {
    const reply = (await client.callBuffer('CONFIG', 'GET', 'maxmemory-policy')) as Buffer[];
    const policy = reply[1]?.toString();
    if (policy === undefined || policy === 'noeviction') return;
    warn(`Redis may evict idempotency keys (maxmemory-policy is ${policy}); set it to noeviction on this server`);
  } catch {
    // Managed servers forbid CONFIG. Nothing is known then, and nothing is wrong.
  }
}

function globSafe(prefix: string): string {
  return prefix.replace(/[*?[\]\\]/g, '\\$&');
}
