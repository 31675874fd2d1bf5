import { existsSync } from 'node:fs';
import { defineConfig, type UserConfig } from 'tsdown';
import { declarations } from '../declarations.ts';

/** Each door of `exports` in package.json and where it is written. */
const doors = {
  index: 'src/core/index.ts',
  sw: 'src/sw/index.ts',
  page: 'src/page/index.ts',
  panel: 'src/panel/index.ts',
  'panel/define': 'src/panel/define.ts',
  'panel/words': 'src/panel/words/index.ts',
  react: 'src/react/index.ts',
  vue: 'src/vue/index.ts',
  svelte: 'src/svelte/index.ts',
  solid: 'src/solid/index.ts',
  batch: 'src/batch/index.ts',
  workbox: 'src/workbox/index.ts',
  testing: 'src/testing/index.ts',
};

/** What a development build says on the console is a module of its own, exchanged by the condition `development`. */
const hints = {
  name: 'holdfast:hints',
  resolveId: (source: string) => (source.endsWith('/hints') ? { id: '#hints', external: true } : undefined),
};

const modules = {
  entry: {
    ...Object.fromEntries(Object.entries(doors).filter(([, source]) => existsSync(source))),
    hints: 'src/browser/hints.ts',
    'hints.development': 'src/browser/hints.development.ts',
  },
  plugins: [hints],
  // One build for all doors: what they share is one chunk, so an `OutboxError` is the same class behind each of them.
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  tsconfig: 'tsconfig.build.json',
  dts: declarations,
  clean: true,
  fixedExtension: false,
  // nanoid's entry for browsers (140 bytes) is built in: bundlers of service workers, Workbox's among them, take the one for Node.
  deps: { alwaysBundle: ['nanoid'] },
  inputOptions: { resolve: { conditionNames: ['browser', 'import', 'default'] } },
  outputOptions: {
    // What a door loads only when it is needed stands apart, so that the size limits can leave it out.
    chunkFileNames: ({ isDynamicEntry }) => `${isDynamicEntry ? 'lazy' : 'chunks'}/[name]-[hash].js`,
  },
} satisfies UserConfig;

/** One script each, nothing left to load: for `importScripts` and `<script src>`. */
const classic = (name: string): UserConfig => ({
  ...modules,
  // One file has no other to exchange: it says nothing.
  plugins: [],
  entry: { [`holdfast.${name}.classic`]: `src/${name}/classic.ts` },
  format: 'iife',
  globalName: name === 'panel' ? 'holdfastPanel' : 'holdfast',
  platform: 'browser',
  deps: { alwaysBundle: [/./] },
  dts: false,
  // The other builds write here too.
  clean: false,
  minify: true,
  outputOptions: { entryFileNames: '[name].js', codeSplitting: false },
});

export default defineConfig([modules, ...['sw', 'page', 'panel'].map((name) => classic(name))]);
