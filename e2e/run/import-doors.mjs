import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Imports every door of a built package in plain Node, which has no page and no worker: `node import-doors.mjs FOLDER`.
 * A door may be imported on a server or in a test, so importing it touches no global. Only modules named in
 * `sideEffects` may, and are left out.
 */
const folder = resolve(process.argv[2] ?? '.');
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const withEffects = new Set([manifest.sideEffects || []].flat());

// What Node shares with browsers is taken away, so that a door cannot lean on it either.
for (const name of ['fetch', 'Request', 'Response', 'BroadcastChannel', 'navigator', 'crypto', 'MessageChannel'])
  Reflect.deleteProperty(globalThis, name);
const before = new Set(Reflect.ownKeys(globalThis));

const failures = [];
for (const [door, target] of Object.entries(manifest.exports)) {
  if (typeof target === 'string' || withEffects.has(target.default)) continue;
  try {
    const names = Object.keys(await import(pathToFileURL(join(folder, target.default)).href));
    console.log(`${door}: ${names.join(', ') || 'types only'}`);
  } catch (error) {
    failures.push(`${door}: ${error.stack}`);
  }
}
// Vue, when it is imported, leaves marks of its own behind: `holdfast/vue` cannot help that.
const added = Reflect.ownKeys(globalThis).filter((key) => !before.has(key) && !String(key).startsWith('__VUE_'));
if (added.length > 0) failures.push(`importing added globals: ${added.map(String).join(', ')}`);

for (const failure of failures) console.error(failure);
process.exitCode = failures.length > 0 ? 1 : 0;
