import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Application } from 'typedoc';
import { doorsOf, referencePages } from './doors.mjs';

/** The halves of Holdfast, and the compiler settings that know their globals. */
const halves = [
  { name: 'holdfast', tsconfig: '../packages/holdfast/tsconfig.build.json' },
  { name: 'holdfast-server', tsconfig: '../packages/holdfast-server/tsconfig.json' },
];

/** Writes `docs/reference` from the comments in the sources: one page for each door, nothing by hand. */
export async function writeReference(docs) {
  const out = join(docs, 'reference');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const half of halves) await writeHalf(half.name, join(docs, half.tsconfig), out);
  writeFileSync(join(out, 'index.md'), overview(referencePages(docs)));
}

async function writeHalf(name, tsconfig, out) {
  const options = {
    name,
    out,
    cleanOutputDir: false,
    entryPoints: doorsOf(name).map(({ source }) => source),
    tsconfig,
    plugin: ['typedoc-plugin-markdown'],
    // `pnpm types` judges the sources; here one program sees pages and workers at once.
    skipErrorChecking: true,
    readme: 'none',
    excludePrivate: true,
    excludeInternal: true,
    excludeExternals: true,
    disableSources: true,
    router: 'module',
    hideBreadcrumbs: true,
    hidePageHeader: true,
    entryFileName: 'index',
    useCodeBlocks: true,
    parametersFormat: 'table',
    propertiesFormat: 'table',
    interfacePropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    enumMembersFormat: 'table',
    logLevel: 'Warn',
    validation: { notExported: false, invalidLink: true, notDocumented: false },
  };
  const app = await Application.bootstrapWithPlugins(options);
  const project = await app.convert();
  if (!project) throw new Error(`typedoc could not read ${name}`);
  nameByDoor(project, name);
  await app.generateOutputs(project);
  if (app.logger.hasErrors()) throw new Error(`typedoc found errors in ${name}`);
}

/** Modules are called as they are imported, not as their files are. */
function nameByDoor(project, half) {
  const doors = new Map(doorsOf(half).map(({ name, source }) => [source, name]));
  for (const child of project.children ?? []) {
    const source = project.getSymbolIdFromReflection(child)?.fileName;
    const door = doors.get(source);
    if (!door) throw new Error(`no door is written in ${source}`);
    child.name = door;
  }
}

function overview(pages) {
  const lines = pages.map(({ name, page }) => `- [\`${name}\`](./${page})`);
  return `# API reference\n\nMade from the comments in the sources. One page for each thing to import:\n\n${lines.join('\n')}\n`;
}
