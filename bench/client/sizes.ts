import { gzipSync } from 'node:zlib';
import { bundle } from './build-scripts.ts';

/** What an app pays for one door: everything behind it, minified and gzipped as one script. In kB of 1,000 bytes. */
export async function sizeOf(door: string, use: string): Promise<number> {
  const input = `${import.meta.dirname}/size-of-${door.replace('/', '-')}.ts`;
  const code = await bundle(input, `import { ${use} } from '${door}'; globalThis.used = ${use};`);
  return gzipSync(code, { level: 9 }).length / 1000;
}
