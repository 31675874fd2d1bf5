import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    sqlite: 'src/sqlite.ts',
    postgres: 'src/postgres.ts',
    redis: 'src/redis.ts',
    hono: 'src/hono.ts',
    express: 'src/express.ts',
    fastify: 'src/fastify.ts',
    node: 'src/node.ts',
    batch: 'src/batch.ts',
  },
  format: 'esm',
  // The core runs on anything with Request and Response; what only Node has is imported by its `node:` name.
  platform: 'neutral',
  target: 'es2022',
  dts: true,
  clean: true,
  fixedExtension: false,
});
