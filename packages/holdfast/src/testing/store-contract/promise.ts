import type { Store } from '../../ports';

export type MakeStore = () => Store | Promise<Store>;

/** One thing a store promises, and how to see whether it keeps it. */
export interface StorePromise {
  readonly title: string;
  readonly check: (store: Store) => Promise<void>;
}
