import { existsSync, readFileSync } from 'node:fs';

/**
 * Counts the tests of one vitest run by its JSON report. A file that does not load has no tests and a run that dies has
 * no report: each counts as one failure, so that nothing broken adds up to zero.
 *
 * @param {string} reportPath
 * @param {boolean} ok whether vitest ended with 0
 * @returns {{ passed: number, failed: number, skipped: number }}
 */
export function vitestCounts(reportPath, ok) {
  if (!existsSync(reportPath)) return { passed: 0, failed: ok ? 0 : 1, skipped: 0 };
  const report = JSON.parse(readFileSync(reportPath, 'utf8'));
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const failed = report.numFailedTests + broken.length;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && !ok ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
