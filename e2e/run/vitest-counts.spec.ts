import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { vitestCounts } from './vitest-counts.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-counts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const numbers = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };

function counted(report: object, ok: boolean) {
  const path = join(folder, 'report.json');
  writeFileSync(path, JSON.stringify({ ...numbers, testResults: [], ...report }));
  return vitestCounts(path, ok);
}

describe('vitestCounts', () => {
  it('counts passed, failed, skipped and open tests', () => {
    const report = { numPassedTests: 5, numFailedTests: 2, numPendingTests: 1, numTodoTests: 1 };
    expect(counted(report, false)).toEqual({ passed: 5, failed: 2, skipped: 2 });
  });

  it('counts a file that does not load as one failure', () => {
    const testResults = [{ status: 'failed', assertionResults: [] }];
    expect(counted({ numPassedTests: 5, testResults }, false)).toEqual({ passed: 5, failed: 1, skipped: 0 });
  });

  it('counts one failure when vitest fails with no failed test, as after an unhandled rejection', () => {
    expect(counted({ numPassedTests: 5 }, false)).toEqual({ passed: 5, failed: 1, skipped: 0 });
  });

  it('counts one failure when there is no report', () => {
    expect(vitestCounts(join(folder, 'none.json'), false)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});
