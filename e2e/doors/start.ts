import { built } from './built.ts';
import { notesSite } from './site.ts';

/** Runs an example: `npx tsx e2e/doors/start.ts react` (or vue, svelte, solid). Type `down` or `up` and Enter for its API. */
const name = process.argv[2] ?? 'react';
const site = await notesSite(await built('build.mjs', [name]), Number(process.env['PORT'] ?? 5180));
console.log(`${name}: ${site.url} (type "down" or "up" for the API)`);
process.stdin.setEncoding('utf8').on('data', (said: string) => {
  site.down(said.trim() === 'down');
  console.log(said.trim() === 'down' ? 'The API cuts every connection.' : 'The API answers.');
});
