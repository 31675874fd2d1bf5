import { existsSync, readFileSync } from 'node:fs';
import { type Counts, oneFailed } from './counts.ts';

/** The part of vitest's JSON report that is read here. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

/**
 * Counts the tests of one vitest run. A file that does not load has no tests and a run that dies has no report: each
 * counts as one failure, so that nothing broken adds up to zero.
 *
 * @param ok whether vitest ended with 0
 */
export function vitestCounts(reportPath: string, ok: boolean): Counts {
  if (!existsSync(reportPath)) return ok ? { passed: 0, failed: 0, skipped: 0 } : oneFailed;
  const report = JSON.parse(readFileSync(reportPath, 'utf8')) as Report;
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const failed = report.numFailedTests + broken.length;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && !ok ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
