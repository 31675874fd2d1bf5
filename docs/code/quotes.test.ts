import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { misquotes } from './quotes.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'holdfast-quotes-'));
  writeFileSync(join(root, 'app.ts'), 'one();\n\nif (two) {\n  three();\n}\nfour();\n');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const block = (text: string, mark = './app.ts') => ({ page: 'docs/a.md', line: 7, language: 'ts', mark, text });

it('takes what the file says, with gaps and other indentation', () => {
  expect(misquotes(block('  one();\n  // …\n  three();\n}\n'), root)).toEqual([]);
  expect(misquotes(block('whatever\n', 'page'), root)).toEqual([]);
});

it('names the page and the line of a quote that is none', () => {
  expect(misquotes(block('one();\nfour();\n'), root)).toEqual(['docs/a.md:7: ./app.ts does not say: one();']);
  expect(misquotes(block('four();\n// …\none();\n'), root)).toEqual(['docs/a.md:7: ./app.ts does not say: one();']);
  expect(misquotes(block('x\n', './b.ts'), root)).toEqual(['docs/a.md:7: there is no file ./b.ts']);
});
