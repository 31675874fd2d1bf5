import { join } from 'node:path';
import { build } from 'vite';

/** `vite build` of an app with its own `vite.config.ts`: `node build-vite.mjs vite-pwa FOLDER`. */
const [name, outDir] = process.argv.slice(2);
await build({ root: join(import.meta.dirname, name), logLevel: 'error', build: { outDir, emptyOutDir: true } });
