// Builds what has changed, then serves the demo: the shell and its API on one port, in this process.
// PORT chooses the port, HOLDFAST_DATA the folder of the database.
import { register } from 'tsx/esm/api';
import { build } from './build.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Holdfast needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}
try {
  await build();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
register();
await import('./server/serve.ts');
