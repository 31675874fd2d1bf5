import { describe, expect, it } from 'vitest';
import { wallBetween } from './walls.mjs';

const source = 'packages/holdfast/src';
const rooms = [
  ...['core', 'ports', 'flow', 'browser', 'sw', 'page', 'batch', 'workbox', 'testing'],
  ...['panel', 'follow', 'react', 'vue', 'svelte', 'solid'],
];
const fileIn = (room: string, name = 'file.ts'): string =>
  room === 'ports' ? `${source}/ports.ts` : `${source}/${room}/${name}`;
const to = (room: string): string => `../${room}/file`;
/** The other rooms that files of a room may import from, values too. */
const seenFrom = (room: string, name?: string, typeOnly = false): string[] => {
  const file = fileIn(room, name);
  const up = room === 'ports' ? './' : '../';
  return rooms.filter((other) => other !== room && wallBetween(file, `${up}${other}`, typeOnly) === undefined);
};

describe('a wall', () => {
  it.each([
    ['core', []],
    ['ports', ['core']],
    ['flow', ['core', 'ports']],
    ['browser', ['core', 'ports']],
    ['sw', ['core', 'ports', 'flow', 'browser']],
    ['page', ['core', 'ports', 'flow', 'browser']],
    ['batch', ['core', 'ports', 'flow']],
    ['workbox', ['core', 'ports', 'flow', 'browser']],
    ['testing', ['core', 'ports', 'flow', 'browser']],
    ['panel', ['core']],
    ['react', ['core', 'follow']],
  ])('lets %s see %j and nothing else', (room, seen) => {
    expect(seenFrom(room)).toEqual(seen);
  });

  it('lets those who are handed a client take the type of a door, but not of the kit for tests', () => {
    const typed = seenFrom('panel', undefined, true);
    expect(typed).toContain('page');
    expect(typed).not.toContain('testing');
    expect(typed).not.toContain('flow');
    expect(wallBetween(fileIn('react'), 'holdfast', true)).toBeUndefined();
    expect(wallBetween(fileIn('react'), 'holdfast', false)).toMatch(/only the type/);
    expect(wallBetween(fileIn('core'), to('page'), true)).toMatch(/core may import only/);
  });

  it('lets a test inside use the kit, and a test of a door what it likes', () => {
    expect(seenFrom('flow', 'drain.test.ts')).toEqual(['core', 'ports', 'testing']);
    expect(seenFrom('browser', 'store.long.test.ts')).toEqual(['core', 'ports', 'testing']);
    expect(seenFrom('page', 'list.browser.ts')).toEqual(rooms.filter((room) => room !== 'page'));
  });

  it('goes by where a path leads, not by how it is called', () => {
    expect(wallBetween(fileIn('workbox'), '../flow/batch', false)).toBeUndefined();
    expect(wallBetween(fileIn('flow', 'deep/file.ts'), '../page', false)).toBeUndefined();
    expect(wallBetween(fileIn('flow', 'deep/file.ts'), '../../page', false)).toMatch(/flow may import only/);
    expect(wallBetween(fileIn('core'), './../ports.ts', false)).toMatch(/core may import only/);
  });

  it('keeps core, ports and flow from everything outside, save in their tests', () => {
    for (const room of ['core', 'ports', 'flow'])
      for (const name of ['idb', 'node:fs', 'holdfast'])
        expect(wallBetween(fileIn(room), name, true)).toMatch(/outside/);
    expect(wallBetween(fileIn('browser'), 'idb', false)).toBeUndefined();
    expect(wallBetween(fileIn('core', 'entry.test.ts'), 'vitest', false)).toBeUndefined();
  });

  it('stands between the two halves, by name and by path, for tests too', () => {
    const server = 'packages/holdfast-server/src/file.test.ts';
    expect(wallBetween(server, 'holdfast/page', true)).toMatch(/Both halves/);
    expect(wallBetween(server, '../../holdfast/src/core', true)).toMatch(/Both halves/);
    expect(wallBetween(server, './guard', false)).toBeUndefined();
    expect(wallBetween(server, 'holdfast-server', false)).toBeUndefined();
    expect(wallBetween(fileIn('page', 'a.test.ts'), 'holdfast-server', false)).toMatch(/Both halves/);
    expect(wallBetween(fileIn('core'), '../../../holdfast-server/src', false)).toMatch(/Both halves/);
  });
});
