/** One entry of `size-limit` in a package.json. */
export interface SizeLimit {
  /** The door, as it is imported. */
  readonly name: string;
  /** As in `9 kB`. */
  readonly limit: string;
}

const isSize = /\d\s?k?B\b/;

/**
 * Where the README's table of sizes differs from the limits that are checked. Each door has a row with its name in
 * backticks and the limit as it stands in package.json.
 */
export function sizeProblems(readme: string, limits: readonly SizeLimit[]): string[] {
  const rows = readme.split('\n').filter((line) => line.trimStart().startsWith('|') && isSize.test(line));
  return limits.flatMap(({ name, limit }) => {
    const own = rows.filter((row) => row.includes(`\`${name}\``));
    if (own.length === 0) return [`README.md has no table row with the size of \`${name}\`; it should say ${limit}`];
    const says = new RegExp(`(?<![\\d.])${limit.replaceAll('.', '\\.')}`);
    return own.some((row) => says.test(row)) ? [] : [`README.md should say ${limit} for \`${name}\`: ${own[0]}`];
  });
}
