import { posix } from 'node:path';

/**
 * The walls of the house (`CONTRIBUTING.md`): `core ← ports ← flow, browser ← doors`. A file may import what stands left of it.
 * They are seen in the text alone: what an import names is a path, and rooms are folders.
 */

const client = 'packages/holdfast/';
const server = 'packages/holdfast-server/';
const rooms = `${client}src/`;
const isTest = /\.(test|fixture|property|browser|spec)\.ts$/;

/** The rooms a room's own files may import from, itself always included. */
const sees = {
  core: [],
  ports: ['core'],
  flow: ['core', 'ports'],
  browser: ['core', 'ports'],
  sw: ['core', 'ports', 'flow', 'browser'],
  page: ['core', 'ports', 'flow', 'browser'],
  batch: ['core', 'ports', 'flow'],
  workbox: ['core', 'ports', 'flow', 'browser'],
  testing: ['core', 'ports', 'flow', 'browser'],
  panel: ['core'],
  follow: ['core'],
  react: ['core', 'follow'],
  vue: ['core', 'follow'],
  svelte: ['core', 'follow'],
  solid: ['core', 'follow'],
};
const doors = ['sw', 'page', 'panel', 'react', 'vue', 'svelte', 'solid', 'batch', 'workbox'];
/** These are handed a client and may know its type, which costs nobody a byte. */
const mayTypeADoor = ['panel', 'follow', 'react', 'vue', 'svelte', 'solid', 'workbox'];
/** Decisions need nothing from outside, and the flow meets the outside only through its ports. */
const closed = ['core', 'ports', 'flow'];
/** Tests of these may use the kit in `testing` besides; those of a door put together what they like. */
const testedInside = ['core', 'flow', 'browser'];

const roomOf = (path) =>
  path.startsWith(rooms) ? path.slice(rooms.length).split('/')[0].replace(/\.ts$/, '') : undefined;
const isPackage = (name, specifier) => specifier === name || specifier.startsWith(`${name}/`);

/**
 * @param file      path from the root of the repository, with `/`
 * @param specifier what it imports
 * @param typeOnly  whether it takes only types
 * @returns what speaks against that, if anything does
 */
export function wallBetween(file, specifier, typeOnly) {
  const inside = specifier.startsWith('.');
  const target = inside ? posix.join(posix.dirname(file), specifier) : specifier;
  const reaches = (folder, name) => (inside ? `${target}/`.startsWith(folder) : isPackage(name, specifier));
  if (
    file.startsWith(server) ? reaches(client, 'holdfast') : file.startsWith(rooms) && reaches(server, 'holdfast-server')
  )
    return 'Both halves stand alone; what they keep is written in docs/wire.md.';

  const room = roomOf(file);
  if (room === undefined || sees[room] === undefined) return undefined;
  const test = isTest.test(file);
  if (test && !testedInside.includes(room)) return undefined;
  if (!inside) {
    if (test) return undefined;
    if (closed.includes(room)) return 'core, ports and flow import nothing from outside the package.';
    return mayTypeADoor.includes(room) && !typeOnly && isPackage('holdfast', specifier) ? byTypeOnly : undefined;
  }
  const there = roomOf(target);
  const seen = [room, ...sees[room], ...(test ? ['testing', 'ports', 'core'] : [])];
  if (there === undefined || seen.includes(there)) return undefined;
  if (!test && mayTypeADoor.includes(room) && doors.includes(there)) return typeOnly ? undefined : byTypeOnly;
  return `${room} may import only ${seen.join(', ')}.`;
}

const byTypeOnly = 'Take only the type of another door (`import type`).';
