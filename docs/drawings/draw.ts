// Writes the drawings of the concept pages into `docs/pictures`: `npm run drawings`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawings } from './drawings.ts';

for (const [name, picture] of Object.entries(await drawings())) {
  writeFileSync(join(import.meta.dirname, '../pictures', name), picture);
}
