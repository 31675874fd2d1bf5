import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defaultBackoff } from './backoff';
import { defaultBudgets } from './budget';
import { defaultRetryAfter } from './retry-after';

/** What `@default` says of each member of an interface; a remark in parentheses may follow the value. */
function documented(file: string, name: string): Record<string, unknown> {
  const source = readFileSync(new URL(file, import.meta.url), 'utf8');
  const body = new RegExp(`export interface ${name} \\{\n([\\s\\S]*?)\n\\}`).exec(source)?.[1] ?? '';
  const members = body.matchAll(/\/\*\*(.*?)\*\/\s+readonly '?([\w-]+)'?\??:/gs);
  return Object.fromEntries(
    [...members].map(([, comment = '', member = '']) => {
      const value = /@default ('[^']*'|\[.*?\]|[-\w.]+)/.exec(comment)?.[1] ?? '';
      return [member, valueOf(value)];
    }),
  );
}

function valueOf(text: string): unknown {
  if (text === 'Infinity') return Infinity;
  if (text.startsWith("'")) return text.slice(1, -1);
  return text === '' ? undefined : (JSON.parse(text.replaceAll('_', '').replaceAll("'", '"')) as unknown);
}

describe('every default is the one its documentation states', () => {
  it.each([
    ['./backoff.ts', 'Backoff', defaultBackoff],
    ['./budget.ts', 'Budgets', defaultBudgets],
    ['./retry-after.ts', 'RetryAfterOptions', defaultRetryAfter],
  ])('%s %s', (file, name, defaults) => {
    expect(documented(file, name)).toEqual(defaults);
  });
});
