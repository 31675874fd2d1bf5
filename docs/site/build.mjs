// `node docs/site/build.mjs` builds the site into `docs/.vitepress/dist`; with `serve` it shows it while it is written (PORT chooses the port).
import { resolve } from 'node:path';
import { build, createServer } from 'vitepress';
import { writeReference } from './reference.mjs';

const docs = resolve(import.meta.dirname, '..');

await writeReference(docs);
if (process.argv[2] === 'serve') {
  const server = await createServer(docs, { port: Number(process.env.PORT ?? 4320) });
  await server.listen();
  server.printUrls();
} else {
  await build(docs);
}
