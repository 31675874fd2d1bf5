import { runSteps } from './run/schedule.mjs';
import { browserSteps, checkSteps } from './run/steps.mjs';

/**
 * `node e2e/run-all.mjs check` for what takes no browser; without `check`, the browsers too (`ENGINES=firefox` for one).
 * The last line counts every test once, and each other step as one test.
 */
const startedAt = Date.now();
const onlyCheck = process.argv[2] === 'check';
const { passed, failed, skipped } = await runSteps(onlyCheck ? checkSteps : [...checkSteps, ...browserSteps]);

console.log(`\nTook ${Math.round((Date.now() - startedAt) / 1000)} s.`);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 ? 1 : 0;
