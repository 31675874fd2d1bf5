import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface ProfileFolder {
  readonly path: string;
  /** Removes the folder if we made it; a profile that was handed to us stays. */
  remove(): void;
}

const removeFolder = (path: string) => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });

/** The profile asked for, or a new one that goes away with the browser. */
export function profileFolder(name: string, asked: string | undefined): ProfileFolder {
  if (asked !== undefined) {
    mkdirSync(asked, { recursive: true });
    return { path: resolve(asked), remove: () => undefined };
  }
  const path = mkdtempSync(join(tmpdir(), `holdfast-${name}-`));
  return { path, remove: () => removeFolder(path) };
}
