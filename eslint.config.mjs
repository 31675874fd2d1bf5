import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/**
 * The walls of the house (`CONTRIBUTING.md`); its other rules are in `.oxlintrc.json`. `core ← ports ← flow, browser ← doors`:
 * a file may import what stands left of it. Each wall below says which rooms a room may see.
 */

const holdfast = 'packages/holdfast/src';
const tests = ['**/*.test.ts', '**/*.fixture.ts', '**/*.property.ts', '**/*.browser.ts', '**/*.spec.ts'];

/** The rooms a room's own files may import from, itself always included. */
const sees = {
  core: [],
  'ports.ts': ['core'],
  flow: ['core', 'ports.ts'],
  browser: ['core', 'ports.ts'],
  sw: ['core', 'ports.ts', 'flow', 'browser'],
  page: ['core', 'ports.ts', 'flow', 'browser'],
  batch: ['core', 'ports.ts', 'flow'],
  workbox: ['core', 'ports.ts', 'flow', 'browser'],
  testing: ['core', 'ports.ts', 'flow', 'browser'],
  panel: ['core'],
  follow: ['core'],
  react: ['core', 'follow'],
  vue: ['core', 'follow'],
  svelte: ['core', 'follow'],
  solid: ['core', 'follow'],
};
const doors = ['sw', 'page', 'panel', 'react', 'vue', 'svelte', 'solid', 'batch', 'workbox', 'testing'];
/** These are handed a client and may know its type, which costs nobody a byte. */
const mayTypeADoor = ['panel', 'follow', 'react', 'vue', 'svelte', 'solid', 'workbox'];

/** A zone forbids everything under `from` that `except` does not name. */
const wall = (room, more = []) => ({
  target: `./${holdfast}/${room}`,
  from: `./${holdfast}`,
  except: [...new Set([room, ...sees[room], ...more])].map((seen) => `./${seen}`),
  message: `${room} may import only ${[room, ...sees[room], ...more].join(', ')}.`,
});
const serverWall = {
  target: './packages/holdfast-server',
  from: './packages/holdfast',
  message: 'The server half stands alone; what both sides keep is written in docs/wire.md.',
};
const clientWall = {
  target: `./${holdfast}`,
  from: './packages/holdfast-server',
  message: 'The browser half stands alone; what both sides keep is written in docs/wire.md.',
};

/** For doors that may take the type of another door: everything is reachable, but doors by `import type` only. */
const typeOnlyDoors = (room) => {
  const others = doors.filter((door) => door !== room).join('|');
  return {
    files: [`${holdfast}/${room}/**/*.ts`],
    ignores: tests,
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^\\.\\.?/(.*/)?(${others})(/|$)|^holdfast(/|$)`,
              allowTypeImports: true,
              message: 'Take only the type of another door (`import type`).',
            },
          ],
        },
      ],
    },
  };
};

const notAPort = (what) => `${what} comes in through a port (ports.ts: System, Transport); see browser/system.ts.`;
const noClockNoDice = {
  'no-restricted-properties': [
    'error',
    { object: 'Date', property: 'now', message: notAPort('The time') },
    { object: 'performance', property: 'now', message: notAPort('The time') },
    { object: 'Math', property: 'random', message: notAPort('Chance') },
    {
      object: 'AbortSignal',
      property: 'timeout',
      message: 'Engines reject differently; abort with a signal of our own.',
    },
    ...['globalThis', 'self', 'window'].flatMap((object) =>
      ['setTimeout', 'setInterval'].map((property) => ({ object, property, message: notAPort('A timer') })),
    ),
  ],
  'no-restricted-globals': [
    'error',
    { name: 'setTimeout', message: notAPort('A timer') },
    { name: 'setInterval', message: notAPort('A timer') },
  ],
  'no-restricted-syntax': [
    'error',
    { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: notAPort('The time') },
    { selector: "CallExpression[callee.name='Date']", message: notAPort('The time') },
  ],
};

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/coverage/**', '**/reports/**', '**/.stryker-tmp/**'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },

  // Walls are seen in the text: no types are asked for.
  {
    files: ['packages/**/*.ts', 'packages/**/*.tsx'],
    extends: [tseslint.configs.base],
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [createTypeScriptImportResolver({ noWarnOnMultipleProjects: true })],
    },
    rules: { 'import-x/no-restricted-paths': ['error', { zones: [serverWall, clientWall] }] },
  },

  // Between the rooms.
  {
    files: [`${holdfast}/**/*.ts`],
    ignores: tests,
    rules: {
      'import-x/no-restricted-paths': [
        'error',
        {
          zones: [
            clientWall,
            ...Object.keys(sees).map((room) =>
              mayTypeADoor.includes(room)
                ? wall(
                    room,
                    doors.filter((door) => door !== 'testing'),
                  )
                : wall(room),
            ),
          ],
        },
      ],
    },
  },
  // A test may use the kit in `testing` besides what its room sees; the other walls hold for it too.
  {
    files: ['core', 'flow', 'browser'].flatMap((room) => tests.map((glob) => `${holdfast}/${room}/${glob}`)),
    rules: {
      'import-x/no-restricted-paths': [
        'error',
        {
          zones: [
            clientWall,
            ...['core', 'flow', 'browser'].map((room) => wall(room, ['testing', 'ports.ts', 'core'])),
          ],
        },
      ],
    },
  },
  ...mayTypeADoor.map(typeOnlyDoors),
  // Decisions need nothing from outside, and the flow meets the outside only through its ports.
  {
    files: ['core/**/*.ts', 'flow/**/*.ts', 'ports.ts'].map((glob) => `${holdfast}/${glob}`),
    ignores: tests,
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^[^.]', message: 'core, ports and flow import nothing from outside the package.' }] },
      ],
    },
  },
  {
    files: ['packages/holdfast-server/**/*.ts'],
    rules: {
      'no-restricted-imports': ['error', { patterns: [{ regex: '^holdfast(/|$)', message: serverWall.message }] }],
    },
  },
  // Time, dice and timers come through `System`, so that a test can hold them.
  {
    files: ['core', 'flow', 'browser', 'sw', 'page'].map((room) => `${holdfast}/${room}/**/*.ts`),
    ignores: [...tests, `${holdfast}/browser/system.ts`],
    rules: noClockNoDice,
  },
);
