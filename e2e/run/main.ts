import { availableParallelism } from 'node:os';
import { inWords } from './counts.ts';
import { runSteps } from './schedule.ts';
import { browserSteps, checkSteps, longSteps } from './steps.ts';

const startedAt = Date.now();
const steps = process.argv[2] === 'check' ? checkSteps : [...checkSteps, ...longSteps, ...browserSteps];
const counts = await runSteps(steps, Math.max(2, Math.min(4, availableParallelism())));

console.log(`\nTook ${Math.round((Date.now() - startedAt) / 1000)} s.`);
console.log(inWords(counts));
process.exitCode = counts.failed > 0 ? 1 : 0;
