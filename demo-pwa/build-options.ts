import type { PluginOption } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

/** How the demo's shell is built: the page, and `sw.ts` with the list of everything it keeps for offline. */
export function demoPlugins(): PluginOption[] {
  return VitePWA({
    strategies: 'injectManifest',
    srcDir: '.',
    filename: 'sw.ts',
    // `main.ts` registers the worker, and `public/` has the manifest: nothing is written into the page for us.
    injectRegister: false,
    manifest: false,
    injectManifest: {
      globPatterns: ['**/*.{html,js,css,svg,png,webmanifest,woff2}'],
      // Latin only; browsers fetch the other parts of the font on demand, and the runtime never needs them offline.
      globIgnores: ['**/*latin-ext*.woff2'],
    },
  });
}
