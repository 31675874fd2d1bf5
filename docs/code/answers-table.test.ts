import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { classOfStatus } from '../../packages/holdfast/src/core/verdict-table.ts';

const page = readFileSync(join(import.meta.dirname, '../concepts/answers.md'), 'utf8');

/** Rows of the table whose first cell begins with statuses: `408 421`, `2xx`. */
const rows = [...page.matchAll(/^\| ((?:\d(?:\d\d|xx) ?)+).*?\| `([\w-]+)`/gm)].flatMap(
  ([, statuses = '', kind = '']) =>
    statuses
      .trim()
      .split(' ')
      .map((status) => ({ status, kind })),
);

it.each(rows)('says of $status what the code does', ({ status, kind }) => {
  // These depend on more than the status, as the row says.
  if (kind === 'in-progress' || (kind === 'delivered' && status !== '2xx')) return;
  expect(classOfStatus(status === '2xx' ? 200 : Number(status))).toBe(kind);
});

it('speaks of every status the table has', () => {
  const said = rows.map(({ status }) => status);
  expect(said).toEqual(
    expect.arrayContaining(['2xx', '408', '421', '425', '429', '503', '401', '409', '412', '511', '501', '505']),
  );
});
