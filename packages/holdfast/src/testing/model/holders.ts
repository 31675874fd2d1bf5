import type { Lock } from '../../ports';

/** Who works under the drain's lock, and was not told that he lost it. */
export interface Holders {
  /** The lock as a tab uses it. */
  watch(lock: Lock, tab: string): Lock;
  readonly holds: (tab: string) => boolean;
}

export function createHolders(): Holders {
  const grips = new Map<string, { readonly lost: boolean }>();
  return {
    holds: (tab) => grips.get(tab)?.lost === false,
    watch: (lock, tab) => ({
      hold: (name, options, work) =>
        lock.hold(name, options, async (lost) => {
          grips.set(tab, lost);
          try {
            return await work(lost);
          } finally {
            if (grips.get(tab) === lost) grips.delete(tab);
          }
        }),
    }),
  };
}
