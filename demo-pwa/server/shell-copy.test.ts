import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { shellCopy } from './shell-copy';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'holdfast-shell-'))));
afterEach(() => rmSync(folder, { recursive: true }));

it('goes on being served while the shell is built anew', () => {
  const built = join(folder, 'dist');
  mkdirSync(built);
  writeFileSync(join(built, 'index.html'), 'the old one');
  const copy = shellCopy(built, folder);
  rmSync(built, { recursive: true });
  expect(readFileSync(join(copy, 'index.html'), 'utf8')).toBe('the old one');
});

it('leaves the copies of running processes alone and removes the others', () => {
  const [mine, theirs, gone] = [process.pid, process.ppid, 2 ** 30].map(String);
  for (const pid of [theirs, gone]) mkdirSync(join(folder, 'shells', pid ?? ''), { recursive: true });
  shellCopy(join(folder, 'nothing-built'), folder);
  expect(readdirSync(join(folder, 'shells')).sort()).toEqual([mine, theirs].sort());
});
