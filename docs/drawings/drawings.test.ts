import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { drawings } from './drawings.ts';

const drawn = Object.entries(await drawings());

it.each(drawn)('%s is what the script draws (pnpm drawings writes it anew)', (name, picture) => {
  expect(readFileSync(join(import.meta.dirname, '../pictures', name), 'utf8')).toBe(picture);
});

it.each(drawn)('%s has no colour that does not follow light and dark', (_, picture) => {
  expect(picture).not.toMatch(/(fill|stroke)="(?!none|var\()/);
});
