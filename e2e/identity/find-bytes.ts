import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The files under this folder that hold the text, in UTF-8 or UTF-16LE (how engines keep strings). Firefox compresses its rows
 * with Snappy, which leaves bytes as they are where nothing like them came before. The last byte of UTF-16, a zero, never is
 * such a one: it goes with the zeros that follow, so it is not looked for.
 */
export function filesHolding(folder: string, text: string): readonly string[] {
  const needles = [Buffer.from(text, 'utf8'), Buffer.from(text, 'utf16le').subarray(0, -1)];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath, item.name))
    .filter((path) => {
      const bytes = readFileSync(path);
      return needles.some((needle) => bytes.includes(needle));
    });
}
