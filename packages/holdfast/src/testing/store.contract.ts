import { bodyPromises } from './store-contract/bodies';
import { finderPromises } from './store-contract/finders';
import type { MakeStore } from './store-contract/promise';
import { transactionPromises } from './store-contract/transactions';

export type { MakeStore };

/** One named check, ready to run. */
export interface StoreCheck {
  readonly title: string;
  readonly run: () => Promise<void>;
}

/**
 * What every store must keep, as named checks for any test runner:
 *
 * ```ts
 * for (const { title, run } of storeContract(() => memoryStore())) it(title, run);
 * ```
 *
 * @param makeStore a new, empty store for each check; it is closed afterwards
 */
export function storeContract(makeStore: MakeStore): readonly StoreCheck[] {
  return [...transactionPromises, ...finderPromises, ...bodyPromises].map(({ title, check }) => ({
    title,
    run: async () => {
      const store = await makeStore();
      try {
        await check(store);
      } finally {
        store.close();
      }
    },
  }));
}
