import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files under this folder that hold the text, in UTF-8 or UTF-16LE (how engines keep strings). */
export function filesHolding(folder: string, text: string): readonly string[] {
  const needles = [Buffer.from(text, 'utf8'), Buffer.from(text, 'utf16le')];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath, item.name))
    .filter((path) => {
      const bytes = readFileSync(path);
      return needles.some((needle) => bytes.includes(needle));
    });
}
