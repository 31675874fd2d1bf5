import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseHttpDate } from './http-date';
import { parseProblem } from './problem';
import { parseRateLimit } from './rate-limit';
import { parseRetryAfter } from './retry-after';

/** Vectors kept beside the repository, not in it. */
const folder = fileURLToPath(new URL('../../../../../shared/vectors/', import.meta.url));

interface Case {
  readonly in: string;
  readonly why: string;
  readonly ms: number | null | 'huge';
  readonly items: unknown;
  readonly ct: string | null;
  readonly body: string;
  readonly ok: boolean;
  readonly out?: Readonly<Record<string, unknown>>;
}

function vectors(name: string): { now: number; cases: readonly Case[] } {
  return JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8')) as { now: number; cases: readonly Case[] };
}

describe.skipIf(!existsSync(folder))('the shared vectors', () => {
  it('agree on HTTP dates, the optional ones included', () => {
    const { now, cases } = vectors('http-date');
    for (const { in: text, ms, why } of cases) expect(parseHttpDate(text, now), `${text}: ${why}`).toBe(ms);
    expect(cases.length).toBeGreaterThan(0);
  });

  it('agree on Retry-After', () => {
    const { now, cases } = vectors('retry-after');
    for (const { in: text, ms, why } of cases) {
      const got = parseRetryAfter(text, now);
      if (ms === 'huge') expect(Number.isFinite(got) && (got ?? 0) > 2 ** 31, why).toBe(true);
      else expect(got, `${text}: ${why}`).toBe(ms);
    }
    expect(cases.length).toBeGreaterThan(0);
  });

  it('agree on RateLimit', () => {
    const { cases } = vectors('ratelimit');
    for (const { in: text, items, why } of cases) expect(parseRateLimit(text), `${text}: ${why}`).toEqual(items);
    expect(cases.length).toBeGreaterThan(0);
  });

  it('agree on problem documents', () => {
    const { cases } = vectors('problem');
    for (const { ct, body, ok, out, why } of cases) {
      const got = parseProblem(ct, body);
      if (out) expect(got, why).toEqual(out);
      else expect(got !== null, why).toBe(ok);
    }
    expect(cases.length).toBeGreaterThan(0);
  });
});
