import { HoldfastServerError } from '../errors';
import { claimed, mayWrite, renewed, sight, takenOver } from '../record';
import type { StoredRecord } from '../record';
import type { Store } from '../store';
import { expiryOf, pack, unpack } from './packed-record';
import type { Packed } from './packed-record';

export interface MemoryStoreOptions {
  /**
   * Most keys held at once. A full store refuses new keys (503 to the caller) rather than forget old ones.
   * @default 100_000
   */
  readonly maxKeys?: number;
  /** Epoch milliseconds. @default Date.now */
  readonly clock?: () => number;
}

/** Keeps keys in this process only: for tests, and for a server that is one process and may forget at a restart. */
export function memoryStore({ maxKeys = 100_000, clock = () => Date.now() }: MemoryStoreOptions = {}): Store {
  const records = new Map<string, Packed>();
  /** Where the last sweep stopped: a sweep looks at a bounded number of records, the next one goes on from there. */
  let walk = records.entries();

  /** Room for one more key, if need be by forgetting what may be forgotten. */
  function makeRoom(now: number): void {
    if (records.size < maxKeys) return;
    for (const [id, packed] of records) if (expiryOf(packed) <= now) drop(id, unpack(packed), now);
    if (records.size >= maxKeys) {
      throw new HoldfastServerError(
        'store-full',
        `all ${maxKeys} keys are taken; raise maxKeys or use a database store`,
      );
    }
  }

  /** Takes the answer of an expired record away, or the whole of one that may be forgotten. */
  function drop(id: string, record: StoredRecord | undefined, now: number): boolean {
    if (!record) return false;
    if (record.forgetAt <= now) return records.delete(id);
    if (!record.answered) return false;
    const { answered: _, ...rest } = record;
    records.set(id, rest);
    return true;
  }

  return {
    async claim(ask) {
      const now = clock();
      const before = unpack(records.get(ask.id));
      if (!before) makeRoom(now);
      const [record, claim] = claimed(before, ask, now);
      if (claim.kind === 'claimed') records.set(ask.id, record);
      return claim;
    },
    async takeOver(ask, previousOwner) {
      const [record, claim] = takenOver(unpack(records.get(ask.id)), ask, previousOwner, clock());
      if (claim.kind === 'claimed') records.set(ask.id, record);
      return claim;
    },
    async renew(id, owner, leaseMs) {
      const now = clock();
      const record = unpack(records.get(id));
      if (!mayWrite(record, owner, now)) return false;
      records.set(id, renewed(record, leaseMs, now));
      return true;
    },
    async finish(ask, answer) {
      const now = clock();
      const record = unpack(records.get(ask.id));
      if (!mayWrite(record, ask.owner, now)) return false;
      records.set(ask.id, pack(record, ask, answer, now));
      return true;
    },
    async release(id, owner) {
      return mayWrite(unpack(records.get(id)), owner, clock()) && records.delete(id);
    },
    async look(id) {
      return sight(unpack(records.get(id)), clock());
    },
    async sweep(limit) {
      const now = clock();
      let swept = 0;
      for (let looked = 0; swept < limit && looked < Math.min(records.size + 1, limit * 20); looked += 1) {
        const next = walk.next();
        if (next.done) {
          walk = records.entries();
          continue;
        }
        const [id, packed] = next.value;
        if (expiryOf(packed) <= now && drop(id, unpack(packed), now)) swept += 1;
      }
      return swept;
    },
    async stats() {
      const counts = { running: 0, unknown: 0, done: 0, gone: 0 };
      const now = clock();
      for (const record of records.values()) {
        const { kind } = sight(unpack(record), now);
        if (kind !== 'absent') counts[kind] += 1;
      }
      return counts;
    },
    async close() {
      records.clear();
    },
  };
}
