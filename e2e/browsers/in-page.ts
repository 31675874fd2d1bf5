import type { InPage } from './engine.ts';

/** The text of an expression that runs `source` with `arg` and gives a value or a promise. */
export function expression<Arg, Result>(source: InPage<Arg, Result>, arg: Arg | undefined): string {
  return typeof source === 'string' ? `(${source})` : `(${source.toString()})(${JSON.stringify(arg) ?? 'undefined'})`;
}

/** How often `waitFor` looks. Looking is a message to the browser, so not more often than someone would notice. */
const lookEveryMs = 50;

/** Calls `look` until it gives something truthy. @throws Error after `timeoutMs`, with what was last seen */
export async function waitUntil<Result>(look: () => Promise<Result>, what: string, timeoutMs: number): Promise<Result> {
  const deadlineAt = Date.now() + timeoutMs;
  for (;;) {
    let seen: unknown;
    try {
      const result = await look();
      if (result) return result;
      seen = result;
    } catch (error) {
      // A page that is being replaced has no context to evaluate in; the next look meets the new one.
      seen = error;
    }
    if (Date.now() > deadlineAt)
      throw new Error(`waited ${timeoutMs} ms in vain for ${what}; last seen: ${String(seen)}`, { cause: seen });
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}
