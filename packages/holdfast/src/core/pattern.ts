import { OutboxError } from './errors';
import { urlParts } from './request-facts';

/** Names captured from a URL, or null when it does not match. */
export type Matcher = (url: string, ownOrigin: string) => Readonly<Record<string, string>> | null;

/**
 * Compiles a route's URL pattern. `/docs/:id` captures one path segment, `*` takes anything (also nothing, also `/`).
 * A pattern that begins with `/` matches the app's own origin, one with a scheme that origin. The query is not looked
 * at unless the pattern has a `?`.
 *
 * @throws OutboxError `bad-option` for a pattern that is neither
 */
export function compilePattern(pattern: string): Matcher {
  const { origin, path, search } = pattern.startsWith('/')
    ? { origin: null, ...splitPath(pattern) }
    : urlParts(pattern);
  if (origin === '') {
    throw new OutboxError('bad-option', `a route's match must begin with "/" or "https://host", got "${pattern}"`);
  }
  const names: string[] = [];
  const source = (path + search).replace(/:([A-Za-z_]\w*)|\*|[\\^$.+?()[\]{}|]/g, (token: string, name?: string) => {
    if (name) names.push(name);
    return name ? '([^/?]+)' : token === '*' ? '.*' : `\\${token}`;
  });
  const regex = new RegExp(`^${source}$`);
  return (url, ownOrigin) => {
    const parts = urlParts(url);
    if (parts.origin !== (origin ?? ownOrigin)) return null;
    const found = regex.exec(search ? parts.path + parts.search : parts.path);
    return found && Object.fromEntries(names.map((name, i) => [name, decode(found[i + 1] ?? '')]));
  };
}

function splitPath(pattern: string): { path: string; search: string } {
  const mark = pattern.indexOf('?');
  return mark < 0 ? { path: pattern, search: '' } : { path: pattern.slice(0, mark), search: pattern.slice(mark) };
}

/** A broken escape is a value too: the app sees it as it came. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
