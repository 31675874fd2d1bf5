import type { ResolvedRoute } from '../core/config';
import type { Entry } from '../core/entry';
import { viewOf } from '../core/snapshot';
import type { Context } from './context';
import { hook } from './hook';

/** Renews credentials at most once per drain, whoever asks first; all others wait for the same answer. */
export interface Renewal {
  /** Whether it is worth trying the entry again at once. */
  renewed(entry: Entry, route: ResolvedRoute): Promise<boolean>;
}

export function createRenewal(context: Context): Renewal {
  let asked: Promise<boolean> | undefined;
  return {
    async renewed(entry, route) {
      const refresh = route.refresh ?? context.config.config.refresh;
      if (!refresh) return false;
      asked ??= hook(context, 'refresh', () => refresh(viewOf(entry, null))).then(
        (good) => good === true,
        () => false,
      );
      return asked;
    },
  };
}
