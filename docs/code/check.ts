// Type-checks every TypeScript block of README and docs against the built packages, and looks for commands, files and
// headings that are named and are not there.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { blocksOf, givenIn } from './blocks.ts';
import { missingCommands } from './commands.ts';
import { deadLinks } from './links.ts';
import { pages } from './pages.ts';
import { filesOf } from './programs.ts';
import { misquotes } from './quotes.ts';
import { typeCheck } from './type-check.ts';

const root = resolve(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as { scripts: object };

const written = pages();
const blocks = [...written].map(([page, text]) => blocksOf(page, text));
const files = blocks.flatMap(filesOf);
const given = new Map([...written].map(([page, text]) => [page, givenIn(text)]));

const problems = [
  ...(['page', 'worker', 'server'] as const).flatMap((place) => typeCheck(place, files, given)),
  ...blocks.flat().flatMap((block) => misquotes(block, root)),
  ...[...written.keys()].flatMap((page) => deadLinks(page, written, root)),
  ...blocks.flat().flatMap((block) => missingCommands(block, Object.keys(scripts), root)),
];
for (const problem of new Set(problems)) process.stderr.write(`${problem}\n`);
process.stdout.write(`${files.length} blocks of code in ${written.size} pages\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
