import { join, resolve } from 'node:path';
import ts from 'typescript';
import type { CodeFile, Place } from './programs.ts';

const docs = resolve(import.meta.dirname, '..');
const root = resolve(docs, '..');
/** Where the files seem to be. Nothing is written there. */
const shelf = join(docs, '.code');
/** Whose dependencies examples may import. */
const lenders = [docs, 'packages/holdfast', 'packages/holdfast-server', 'demo-pwa', 'e2e', '.'].map((folder) =>
  resolve(root, folder),
);

const libs: Record<Place, readonly string[]> = {
  page: ['ES2022', 'DOM', 'DOM.Iterable'],
  worker: ['ES2022', 'WebWorker'],
  server: ['ES2022', 'DOM', 'DOM.Iterable'],
};

const options = (place: Place): ts.CompilerOptions => ({
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  jsx: ts.JsxEmit.ReactJSX,
  lib: libs[place].map((name) => `lib.${name.toLowerCase()}.d.ts`),
  types: place === 'server' ? ['node'] : [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noFallthroughCasesInSwitch: true,
  isolatedModules: true,
  skipLibCheck: true,
  noEmit: true,
});

/** Libraries and declarations as they were read: the three places share most of them. */
const known = new Map<string, ts.SourceFile | undefined>();

/** What a page takes as given, by the page's path. */
export type Given = ReadonlyMap<string, string>;

/**
 * Type-checks the files of one place against the packages as they were built.
 *
 * @returns what is wrong, as `page:line: message`
 */
export function typeCheck(place: Place, files: readonly CodeFile[], given: Given): string[] {
  const mine = files.filter((file) => file.place === place);
  if (mine.length === 0) return [];
  const blocks = new Map(files.map((file) => [join(shelf, file.path), file]));
  const compilerOptions = options(place);
  const plain = ts.createCompilerHost(compilerOptions);
  // Declarations stand behind the code, on its last line, so that the lines of the code stay what they are in the page.
  const textOf = (name: string): string | undefined => {
    const file = blocks.get(name);
    return file && `${file.block.text}export {}; ${(given.get(file.block.page) ?? '').replace(/\s+/g, ' ')}`;
  };
  const host: ts.CompilerHost = {
    ...plain,
    fileExists: (name) => blocks.has(name) || plain.fileExists(name),
    directoryExists: (name) => name.startsWith(shelf) || (plain.directoryExists?.(name) ?? true),
    readFile: (name) => textOf(name) ?? plain.readFile(name),
    getSourceFile: (name, version, ...rest) => {
      const text = textOf(name);
      if (text !== undefined) return ts.createSourceFile(name, text, version, true);
      if (!known.has(name)) known.set(name, plain.getSourceFile(name, version, ...rest));
      return known.get(name);
    },
    resolveModuleNameLiterals: (literals, from) =>
      literals.map(({ text }) => {
        const borrowed = blocks.has(from) && !text.startsWith('.');
        const places = borrowed ? lenders.map((folder) => join(folder, 'example.ts')) : [from];
        const found = places.map((at) => ts.resolveModuleName(text, at, compilerOptions, host));
        return found.find(({ resolvedModule }) => resolvedModule) ?? { resolvedModule: undefined };
      }),
  };
  const common = join(docs, 'code/given', `${place}.d.ts`);
  const program = ts.createProgram([common, ...mine.map(({ path }) => join(shelf, path))], compilerOptions, host);
  return ts.getPreEmitDiagnostics(program).map((found) => inWords(found, blocks));
}

function inWords({ file, start = 0, messageText }: ts.Diagnostic, blocks: ReadonlyMap<string, CodeFile>): string {
  const text = ts.flattenDiagnosticMessageText(messageText, '\n  ');
  if (!file) return text;
  const { line } = file.getLineAndCharacterOfPosition(start);
  const block = blocks.get(file.fileName)?.block;
  return block ? `${block.page}:${block.line + line}: ${text}` : `${file.fileName}:${line + 1}: ${text}`;
}
