import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defaultFingerprint, fingerprint } from './fingerprint';
import { idempotent } from './idempotent';
import { keptHeaders } from './keep-answer';
import { defaultOptions } from './options';
import { advice, problemAnswer } from './problem';
import { problemTypePrefix } from './problem-type';
import type { ProblemCode } from './problem-type';
import { memoryStore } from './stores/memory';
import { readKey } from './syntax';
import { handSystem } from './testing/hand-system';

const page = readFileSync(new URL('../../../docs/wire.md', import.meta.url), 'utf8');

function vectors<T>(name: string): T[] {
  const found = new RegExp(`\`\`\`json vectors=${name}\n([\\s\\S]*?)\n\`\`\``).exec(page)?.[1];
  if (found === undefined) throw new Error(`docs/wire.md has no vectors named ${name}`);
  return JSON.parse(found) as T[];
}

describe('the vectors of docs/wire.md', () => {
  it.each(vectors<{ field: string; key: string | null }>('keys'))(
    'read the field $field as the key $key',
    ({ field, key }) => {
      const reading = readKey(field, 255);
      expect(reading.kind === 'key' ? reading.key : null).toBe(key);
    },
  );

  interface Payloads {
    readonly same: boolean;
    readonly type: string;
    readonly typeOfB?: string;
    readonly a: string;
    readonly b: string;
  }
  it.each(vectors<Payloads>('payloads'))('take $a and $b for the same payload: $same', async (vector) => {
    const print = (text: string, contentType: string) => {
      return fingerprint(
        { bytes: new TextEncoder().encode(text), contentType, contentEncoding: null },
        defaultFingerprint,
      );
    };
    const [a, b] = [await print(vector.a, vector.type), await print(vector.b, vector.typeOfB ?? vector.type)];
    expect(a === b).toBe(vector.same);
  });

  interface Step {
    readonly key: string | null;
    readonly as?: string;
    readonly method?: string;
    readonly target?: string;
    readonly sent?: string;
    readonly waitMs?: number;
    readonly answered?: false;
    readonly status?: number;
    readonly code?: string;
    readonly body?: string;
    readonly replayed?: boolean;
    readonly cookie?: boolean;
    readonly retryAfter?: true;
  }
  it.each(vectors<{ title: string; steps: Step[] }>('exchanges'))('play: $title', async ({ steps }) => {
    const system = handSystem();
    const statuses: Record<string, number> = { '/busy': 503, '/refused': 422 };
    let runs = 0;
    const api = idempotent(
      (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === '/dies') return new Promise<Response>(() => undefined);
        runs += 1;
        const headers = pathname === '/cookie' ? { 'set-cookie': 'a=1' } : {};
        return new Response(String(runs), { status: statuses[pathname] ?? 201, headers: headers as HeadersInit });
      },
      {
        store: memoryStore({ clock: () => system.now() }),
        // A process that is gone renews nothing.
        system: { ...system, after: () => () => undefined },
        principal: (request) => request.headers.get('x-user'),
        retentionMs: 3_600_000,
        tombstoneMs: 3_600_000,
      },
    );
    for (const step of steps) {
      await system.pass(step.waitMs ?? 0);
      const headers = new Headers({ 'content-type': 'application/json', 'x-user': step.as ?? 'ann' });
      if (step.key !== null) headers.set('idempotency-key', step.key);
      const init = { method: step.method ?? 'POST', headers, body: step.sent ?? '{}' };
      const pending = api(new Request(`http://api.test${step.target ?? '/orders'}`, init));
      await system.pass(0);
      if (step.answered === false) continue;
      const answer = await pending;
      expect(answer.status).toBe(step.status);
      if (step.code !== undefined) {
        expect(answer.headers.get('content-type')).toBe('application/problem+json');
        expect(await answer.json()).toMatchObject({ type: problemTypePrefix + step.code, status: step.status });
      }
      if (step.body !== undefined) expect(await answer.text()).toBe(step.body);
      if (step.replayed !== undefined)
        expect(answer.headers.get('idempotency-replayed')).toBe(step.replayed ? 'true' : null);
      if (step.cookie !== undefined) expect(answer.headers.getSetCookie().length > 0).toBe(step.cookie);
      if (step.retryAfter) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });
});

describe('docs/wire.md', () => {
  it('lists every refusal with its status', () => {
    for (const code of Object.keys(advice) as ProblemCode[]) {
      const { status } = problemAnswer(code, '');
      if (code !== 'batch-malformed') expect(page).toMatch(new RegExp(`\\| ${status} +\\| \`${code}\``));
    }
    expect(page).toContain(problemTypePrefix);
  });

  it('lists every field that is kept', () => {
    for (const name of keptHeaders) expect(page.toLowerCase()).toContain(`\`${name}\``);
  });

  it('tells the defaults as they are', () => {
    expect(defaultOptions).toMatchObject({ maxKeyLength: 255, leaseMs: 30_000, retentionMs: 7 * 86_400_000 });
    expect(defaultOptions.tombstoneMs).toBe(30 * 86_400_000);
    for (const text of ['more than 255 characters', 'a lease of 30 s', '7 days by default', '30 more days']) {
      expect(page.replace(/\s+/g, ' ')).toContain(text);
    }
  });
});
