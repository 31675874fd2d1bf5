import { resolve } from 'node:path';

const packages = resolve(import.meta.dirname, '../packages');

/** Where tests read the packages from, so that they need no build. Longer names first: an alias also takes what begins with it. */
export const demoSource = {
  'holdfast-server/sqlite': `${packages}/holdfast-server/src/sqlite.ts`,
  'holdfast-server': `${packages}/holdfast-server/src/index.ts`,
  'holdfast/testing': `${packages}/holdfast/src/testing/index.ts`,
  holdfast: `${packages}/holdfast/src/core/index.ts`,
};
