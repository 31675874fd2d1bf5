import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

export default defineConfig({
  plugins: [
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'worker',
      filename: 'sw.ts',
      // `main.ts` registers the worker.
      injectRegister: false,
      manifest: { name: 'Notes', short_name: 'Notes', display: 'standalone' },
    }),
  ],
});
