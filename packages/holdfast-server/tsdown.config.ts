import { defineConfig } from 'tsdown';
import { declarations } from '../declarations.ts';

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
  tsconfig: 'tsconfig.build.json',
  dts: declarations,
  clean: true,
  fixedExtension: false,
});
