import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const here = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const rows = here('../../../docs/server.md')
  .split('\n')
  .map((line) => /^\|\s*(\d+)\s*\|.*\|\s*`([^`]+)`\s+(.*?)\s*\|$/.exec(line))
  .filter((match) => match !== null)
  .map(([, number = '', file = '', title = '']) => ({ number, file, title }));

it('has an answer to every question in docs/server.md, each with a test', () => {
  expect(rows.map(({ number }) => Number(number))).toEqual(Array.from({ length: 48 }, (_, index) => index + 1));
});

it.each(rows)('names a test that is there: $number, $file, $title', ({ file, title }) => {
  expect(here(`./${file}`)).toContain(`'${title}'`);
});
