import { HoldfastServerError } from '../errors';
import { claimed, finished, mayWrite, renewed, sight, takenOver } from '../record';
import type { StoredRecord } from '../record';
import type { Claim, Sighting, Store } from '../store';
import { pack, unpack } from './packed-answer';
import type { Packed } from './packed-answer';

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
  const records = new Map<string, StoredRecord<Packed>>();
  /** Where the last sweep stopped: a sweep looks at a bounded number of records, the next one goes on from there. */
  let walk = records.entries();

  /** Room for one more key, if need be by forgetting what may be forgotten. */
  function makeRoom(now: number): void {
    if (records.size < maxKeys) return;
    for (const [id, record] of records) if (record.forgetAt <= now) records.delete(id);
    if (records.size >= maxKeys) {
      throw new HoldfastServerError(
        'store-full',
        `all ${maxKeys} keys are taken; raise maxKeys or use a database store`,
      );
    }
  }

  return {
    async claim(ask) {
      const now = clock();
      const before = records.get(ask.id);
      if (!before) makeRoom(now);
      const [record, claim] = claimed(before, ask, now);
      if (claim.kind === 'claimed') records.set(ask.id, record);
      return unpacked(claim);
    },
    async takeOver(ask, previousOwner) {
      const [record, claim] = takenOver(records.get(ask.id), ask, previousOwner, clock());
      if (claim.kind === 'claimed') records.set(ask.id, record);
      return unpacked(claim);
    },
    async renew(id, owner, leaseMs) {
      const now = clock();
      const record = records.get(id);
      if (!mayWrite(record, owner, now)) return false;
      records.set(id, renewed(record, leaseMs, now));
      return true;
    },
    async finish(ask, answer) {
      const now = clock();
      const record = records.get(ask.id);
      if (!mayWrite(record, ask.owner, now)) return false;
      records.set(ask.id, finished(record, ask, pack(answer), now));
      return true;
    },
    async release(id, owner) {
      return mayWrite(records.get(id), owner, clock()) && records.delete(id);
    },
    async look(id) {
      return unpacked(sight(records.get(id), clock()));
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
        const [id, record] = next.value;
        if (record.forgetAt <= now) records.delete(id);
        else if (record.expiresAt <= now && record.answered) records.set(id, stripped(record));
        else continue;
        swept += 1;
      }
      return swept;
    },
    async stats() {
      const counts = { running: 0, unknown: 0, done: 0, gone: 0 };
      const now = clock();
      for (const record of records.values()) {
        const { kind } = sight(record, now);
        if (kind !== 'absent') counts[kind] += 1;
      }
      return counts;
    },
    async close() {
      records.clear();
    },
  };
}

/** The record without its answer; it is past its retention, so nothing will ask for that again. */
function stripped({ answered: _, ...rest }: StoredRecord<Packed>): StoredRecord<Packed> {
  return rest;
}

function unpacked(claim: Claim<Packed>): Claim;
function unpacked(sighting: Sighting<Packed>): Sighting;
function unpacked(found: Claim<Packed> | Sighting<Packed>): Claim | Sighting {
  return found.kind === 'done' ? { ...found, answer: unpack(found.answer) } : found;
}
