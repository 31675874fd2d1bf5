import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { watchWipes } from './wipes.ts';

it('a store that was made anew is a wipe, one that is opened again is none', () => {
  const profile = mkdtempSync(join(tmpdir(), 'holdfast-wipes-'));
  const store = join(profile, 'Default/IndexedDB/http_localhost_1.indexeddb.leveldb');
  try {
    const watch = watchWipes(profile);
    watch.look();
    mkdirSync(store, { recursive: true });
    watch.look();
    watch.look();
    expect(watch.wipes).toEqual([]);
    rmSync(store, { recursive: true });
    watch.look();
    mkdirSync(store);
    watch.look();
    expect(watch.wipes).toHaveLength(1);
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
});
