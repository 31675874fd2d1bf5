import { dirname, join } from 'node:path/posix';

/** A file, or one by condition. */
type Targets = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** What of a `package.json` is looked at. */
export interface Manifest {
  readonly name: string;
  readonly exports: Targets;
  /** Names of its own, beginning with `#`. */
  readonly imports?: Targets;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly publishConfig?: Readonly<Record<string, unknown>>;
}

/** What people look for in a package, besides its code. */
const expected = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'];
const unwanted = /(^|\/)(src|node_modules|fixtures)\/|\.(test|spec|browser|contract|fixture)\.|tsconfig|\.tsbuildinfo$/;
const isCode = /\.(m?js|d\.ts)$/;

/**
 * What is wrong with a package as it would be published.
 *
 * @param files   what is in it: path and text
 * @param license the licence of the repository
 * @param root    the folder it was built in, of which nothing may be left
 */
export function packProblems(
  manifest: Manifest,
  files: ReadonlyMap<string, string>,
  license: string,
  root: string,
): string[] {
  const targets = [...Object.values(manifest.exports), ...Object.values(manifest.imports ?? {})].flatMap((to) =>
    typeof to === 'string' ? [to] : Object.values(to),
  );
  const missing = [...expected, ...targets.map((to) => to.replace('./', ''))].filter((file) => !files.has(file));
  const config = manifest.publishConfig ?? {};
  return [
    ...[...new Set(missing)].map((file) => `${file} is missing`),
    ...[...files.keys()].filter((file) => unwanted.test(file)).map((file) => `${file} should not be in it`),
    ...(files.get('LICENSE') === license ? [] : ['LICENSE is not that of the repository']),
    ...(config['provenance'] === true && config['access'] === 'public'
      ? []
      : ['publishConfig lacks provenance or access']),
    ...[...files].flatMap(([file, text]) => [
      ...(text.includes(root) ? [`${file} tells where it was built`] : []),
      ...(isCode.test(file) ? codeProblems(file, text, manifest, files) : []),
    ]),
  ];
}

function codeProblems(file: string, text: string, manifest: Manifest, files: ReadonlyMap<string, string>): string[] {
  const map = /\/\/# sourceMappingURL=(\S+)/.exec(text)?.[1];
  const lost =
    map !== undefined && !files.has(join(dirname(file), map)) ? [`${file} names ${map}, which is not in it`] : [];
  const imports = text.matchAll(/^(?:import|export)\b[^'"]*?(?:from )?["']([^"']+)["']|\bimport\(["']([^"']+)["']\)/gm);
  const broken = [...imports].flatMap(([, fixed, lazy]) => {
    const name = fixed ?? lazy ?? '';
    if (name.startsWith('.')) {
      const target = join(dirname(file), name);
      const known = [target, target.replace(/\.js$/, '.d.ts')].some((path) => files.has(path));
      return known ? [] : [`${file} imports ${name}, which is not in it`];
    }
    const owner = name
      .split('/')
      .slice(0, name.startsWith('@') ? 2 : 1)
      .join('/');
    const given = { ...manifest.dependencies, ...manifest.peerDependencies, [manifest.name]: '' };
    return name.startsWith('node:') || Object.hasOwn(given, owner) || Object.hasOwn(manifest.imports ?? {}, name)
      ? []
      : [`${file} imports ${name}, which nobody installs`];
  });
  return [...lost, ...new Set(broken)];
}
