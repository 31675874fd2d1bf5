import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defaultBackoff } from './backoff';
import { defaultBreaker, defaultGo } from './breaker';
import { defaultBudgets } from './budget';
import { defaultClassify } from './classify';
import { defaultClock } from './clock';
import { defaultConnectivity } from './connectivity';
import { defaultMetered } from './metered';
import { defaultKeep, defaultKey, defaultLimits } from './options';
import { defaultPick } from './pick';
import { defaultRetryAfter } from './retry-after';

/** What `@default` says of each member of an interface; a remark in parentheses may follow the value. */
function documented(file: string, name: string): Record<string, unknown> {
  const source = readFileSync(new URL(file, import.meta.url), 'utf8');
  const body = new RegExp(`export interface ${name} \\{\n([\\s\\S]*?)\n\\}`).exec(source)?.[1] ?? '';
  const members = body.matchAll(/\/\*\*(.*?)\*\/\s+readonly '?([\w-]+)'?\??:/gs);
  return Object.fromEntries(
    [...members].map(([, comment = '', member = '']) => {
      const value = /@default ('[^']*'|\[.*?\]|\{.*?\}|[-\w.]+)/.exec(comment)?.[1] ?? '';
      return [member, valueOf(value)];
    }),
  );
}

/** The value written in TypeScript's way: quotes, bare names and separated thousands are no JSON. */
function valueOf(text: string): unknown {
  if (text === 'Infinity') return Infinity;
  const json = text
    .replace(/(\d)_(?=\d)/g, '$1')
    .replace(/(\w+):/g, (name, word: string) => (text.startsWith('{') ? `"${word}":` : name))
    .replaceAll("'", '"');
  return text === '' ? undefined : (JSON.parse(json) as unknown);
}

describe('every default is the one its documentation states', () => {
  it.each([
    ['./backoff.ts', 'Backoff', defaultBackoff],
    ['./budget.ts', 'Budgets', defaultBudgets],
    ['./retry-after.ts', 'RetryAfterOptions', defaultRetryAfter],
    ['./breaker.ts', 'BreakerOptions', defaultBreaker],
    ['./breaker.ts', 'GoOptions', defaultGo],
    ['./classify.ts', 'ClassifyOptions', defaultClassify],
    ['./clock.ts', 'ClockOptions', defaultClock],
    ['./connectivity.ts', 'ConnectivityOptions', defaultConnectivity],
    ['./options.ts', 'KeyOptions', defaultKey],
    ['./options.ts', 'Limits', defaultLimits],
    ['./options.ts', 'Keep', defaultKeep],
    ['./metered.ts', 'Metered', defaultMetered],
    ['./pick.ts', 'PickOptions', defaultPick],
  ])('%s %s', (file, name, defaults) => {
    expect(documented(file, name)).toEqual(defaults);
  });
});
