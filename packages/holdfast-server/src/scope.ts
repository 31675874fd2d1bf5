import { sha256 } from './digest';

/** Whose key it is, and for what. Two requests share an answer only if all of this is equal. */
export interface Scope {
  /** The caller, as the app has verified it; `undefined` for a caller nobody knows. */
  readonly principal: string | undefined;
  readonly method: string;
  /** Path and query as sent, `/orders?dryRun=1`. */
  readonly target: string;
  readonly key: string;
}

/** The scope as one short name. JSON keeps its fields apart, whatever characters they hold. */
export function scopeId({ principal, method, target, key }: Scope): string | Promise<string> {
  return sha256(JSON.stringify([principal ?? null, method, target, key]));
}

/** Path and query of an absolute address, without the fragment. */
export function targetOf(url: string): string {
  const pathStart = url.indexOf('/', url.indexOf('://') + 3);
  const fragment = url.indexOf('#');
  if (pathStart === -1) return '/';
  return fragment === -1 ? url.slice(pathStart) : url.slice(pathStart, fragment);
}
