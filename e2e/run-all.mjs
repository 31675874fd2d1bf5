import { register } from 'tsx/esm/api';

/**
 * `node e2e/run-all.mjs check` for what takes no browser; without `check`, the browsers too (`ENGINES=firefox` for one).
 * The last line counts every test once, and each other step as one test.
 */
register();
await import('./run/main.ts');
