import { build, defineConfig, type Plugin, type ResolvedConfig } from 'vite';

/** Builds `worker/sw.ts` into one classic script beside the app, which every browser takes. */
function serviceWorker(): Plugin {
  let app: ResolvedConfig;
  return {
    name: 'service-worker',
    apply: 'build',
    configResolved: (config) => void (app = config),
    async closeBundle() {
      await build({
        configFile: false,
        root: app.root,
        mode: app.mode,
        build: {
          outDir: app.build.outDir,
          emptyOutDir: false,
          copyPublicDir: false,
          rolldownOptions: {
            input: `${app.root}/worker/sw.ts`,
            output: { format: 'iife', entryFileNames: 'sw.js' },
          },
        },
      });
    },
  };
}

export default defineConfig({ plugins: [serviceWorker()] });
