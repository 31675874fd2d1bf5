import { runModel } from '../../packages/holdfast/src/testing/model/history.ts';

/** What a part tells the process that started it. */
export interface FromPart {
  readonly done: number;
  /** The smallest history that breaks a promise. */
  readonly counterexample?: string;
}

const [runs = 0, seed = 0] = process.argv.slice(2).map(Number);
const tell = (message: FromPart): Promise<void> =>
  new Promise((sent) => process.send?.(message, undefined, undefined, () => sent()));

const report = await runModel({ runs, seed, progress: (done) => void tell({ done }) });
await tell({
  done: report.runs,
  ...(report.violations > 0 && { counterexample: report.counterexample }),
});
process.disconnect();
