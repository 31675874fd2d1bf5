import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import react from '@vitejs/plugin-react';
import vue from '@vitejs/plugin-vue';
import { build } from 'vite';
import solid from 'vite-plugin-solid';

/**
 * Builds an example: `node build.mjs react FOLDER`. Its server part is built first and run here, so that `index.html` holds
 * what a server renders, and the page takes that over. (Without one the page draws all.) `NODE_ENV=development` builds it with the framework's own checks.
 */
const [name, outDir] = process.argv.slice(2);
const home = join(import.meta.dirname, name);
const plugins = {
  react: () => react(),
  'tanstack-query': () => react(),
  vue: () => vue(),
  svelte: () => svelte(),
  solid: () => solid({ ssr: true }),
};
const source = (part) => [`${part}.ts`, `${part}.tsx`].map((file) => join(home, file)).find(existsSync);
const mode = process.env.NODE_ENV ?? 'production';

const shared = { configFile: false, root: home, mode, logLevel: 'error', plugins: [plugins[name]()] };

async function serverPart() {
  const input = source('server');
  if (!input) return { render: () => '' };
  const serverDir = join(import.meta.dirname, '../node_modules/.cache/doors', `${name}-${process.pid}`);
  const output = { entryFileNames: 'server.mjs' };
  await build({ ...shared, build: { ssr: input, outDir: serverDir, rolldownOptions: { output } } });
  return import(pathToFileURL(join(serverDir, 'server.mjs')).href);
}

const { render, head = () => '' } = await serverPart();
await build({
  ...shared,
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    rolldownOptions: {
      input: source('main'),
      output: { entryFileNames: 'main.js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
});

// What a framework has to say about HTML that is not as it would have drawn it.
const listen = `addEventListener('error', ({ message }) => complaints.push(message));
  for (const level of ['error', 'warn']) console[level] = (...words) => complaints.push(words.join(' '));`;
mkdirSync(outDir, { recursive: true });
writeFileSync(
  join(outDir, 'index.html'),
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Notes: ${name}</title><link rel="icon" href="data:,">
  <script>const complaints = (window.complaints = []); ${listen}</script>${head()}</head>
  <body><div id="app">${await render()}</div><script type="module" src="/main.js"></script></body></html>`,
);
