import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Knows when the browser threw away what it had stored, by its files and not by what anybody's code says. */
export interface WipeWatch {
  /** To be called while no browser runs, and at the end. */
  look(): void;
  /** When each store that took the place of another was made, epoch ms. */
  readonly wipes: readonly number[];
}

/**
 * Chromium removes a whole database that it finds damaged when it opens it, and begins
 * with an empty one: nobody who keeps anything in IndexedDB can prevent that. Of the other engines no wipe is known or excused.
 */
export function watchWipes(profile: string): WipeWatch {
  const folder = join(profile, 'Default/IndexedDB');
  const wipes: number[] = [];
  let known: number | undefined;
  return {
    wipes,
    look() {
      const madeAt = madeIn(folder);
      if (madeAt === undefined || madeAt === known) return;
      if (known !== undefined) wipes.push(madeAt);
      known = madeAt;
    },
  };
}

function madeIn(folder: string): number | undefined {
  try {
    const store = readdirSync(folder).find((name) => name.endsWith('.indexeddb.leveldb'));
    return store === undefined ? undefined : statSync(join(folder, store)).birthtimeMs;
  } catch {
    return undefined;
  }
}
