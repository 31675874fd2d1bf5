import { expect, it } from 'vitest';
import { blocksOf } from './blocks.ts';
import { missingCommands } from './commands.ts';

it('finds scripts and files that people are told to run and that are not there', () => {
  const text = [
    '```sh',
    'npm run demo',
    'npm run fly # away',
    'npx -y pnpm@12.4.2 swim',
    'node blocks.ts',
    'node gone.mjs',
  ];
  const [block] = blocksOf('a.md', [...text, 'npx -y pnpm@12.4.2 install', '```'].join('\n'));
  expect(block && missingCommands(block, ['demo'], import.meta.dirname)).toEqual([
    'a.md:3: package.json has no script "fly"',
    'a.md:4: package.json has no script "swim"',
    'a.md:6: there is no file gone.mjs',
  ]);
});
