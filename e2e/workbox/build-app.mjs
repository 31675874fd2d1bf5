import Module, { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

/**
 * Builds the app in `app/` for production: `node build-app.mjs generateSW|injectManifest workbox|holdfast FOLDER`. The change
 * from one library to the other is one line in each way: an import in the worker, or an override in package.json.
 */
const [strategy, library, outDir] = process.argv.slice(2);
const root = fileURLToPath(new URL('./app/', import.meta.url));
const switched = library === 'holdfast';

/** `import … from 'workbox-background-sync'` becomes `… from 'holdfast/workbox'`. */
const otherImport = {
  name: 'the-one-line',
  enforce: 'pre',
  transform(code, id) {
    if (!switched || id !== join(root, 'sw.js')) return undefined;
    const changed = code.replace("from 'workbox-background-sync'", "from 'holdfast/workbox'");
    const lines = changed.split('\n').filter((line, at) => line !== code.split('\n')[at]);
    if (lines.length !== 1) throw new Error(`it took ${lines.length} lines`);
    return changed;
  },
};

/** What `"overrides": { "workbox-background-sync": "npm:holdfast@…" }` comes to: one package under the other's name. */
function override() {
  const resolveFilename = Module._resolveFilename;
  const holdfast = createRequire(import.meta.url).resolve('holdfast/package.json');
  Module._resolveFilename = function (request, ...rest) {
    if (request === 'workbox-background-sync/package.json') return holdfast;
    return resolveFilename.call(this, request, ...rest);
  };
  return dirname(holdfast);
}

const workbox = {
  skipWaiting: true,
  clientsClaim: true,
  runtimeCaching: [
    {
      urlPattern: ({ url }) => url.pathname.startsWith('/__echo/notes'),
      handler: 'NetworkOnly',
      method: 'POST',
      options: { backgroundSync: { name: 'notes', options: { maxRetentionTime: 24 * 60 } } },
    },
  ],
};

if (strategy === 'generateSW' && switched) override();
await build({
  configFile: false,
  root,
  logLevel: 'error',
  build: { outDir, emptyOutDir: true, target: 'es2022' },
  plugins: [
    VitePWA({
      strategies: strategy,
      srcDir: '.',
      filename: 'sw.js',
      injectRegister: null,
      manifest: false,
      workbox,
      injectManifest: { minify: false, buildPlugins: { vite: [otherImport] } },
    }),
  ],
});
// A release is another release by its bytes.
writeFileSync(join(outDir, 'sw.js'), `${readFileSync(join(outDir, 'sw.js'), 'utf8')}\n// ${library}\n`);
