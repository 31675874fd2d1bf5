import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Declarations are written by TypeScript 7, in half the time; where its program lies only it knows itself. */
const compiler = dirname(createRequire(import.meta.url).resolve('typescript-7/package.json'));
const place = pathToFileURL(join(compiler, 'lib/getExePath.js')).href;
const { default: getExePath } = (await import(place)) as { readonly default: () => string };

export const declarations = { tsgo: { path: getExePath() } };
