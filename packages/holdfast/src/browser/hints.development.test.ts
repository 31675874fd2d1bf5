import { describe, expect, it } from 'vitest';
import { resolveConfig } from '../core/config';
import type { OutboxConfig } from '../core/options';
import { urlParts } from '../core/request-facts';
import { headerOf } from '../core/header-pairs';
import { fakeSystem } from '../testing/fake-system';
import { hints as inProduction } from './hints';
import { createHints } from './hints.development';

const own = 'https://app.example';
const config: OutboxConfig = { routes: [{ name: 'docs', match: () => true }] };

/** Everything that is said while `act` runs. */
function heard(act: (hints: ReturnType<typeof createHints>) => void): string[] {
  const said: string[] = [];
  act(createHints((message) => said.push(message)));
  return said;
}

function asked(
  method: string,
  url: string,
  headers: [string, string][] = [],
  mode = 'cors',
  over: Partial<OutboxConfig> = {},
) {
  const resolved = resolveConfig({ ...config, ...over });
  const facts = { method, url, ...urlParts(url), mode, header: (name: string) => headerOf(headers, name) };
  return heard((hints) => {
    for (let again = 0; again < 2; again += 1) hints.request(facts, resolved.route(facts, own)?.route, resolved, own);
  });
}

describe('a development build says once what is likely a mistake:', () => {
  it.each([
    ['a write no route takes', asked('POST', `${own}/x`, [], 'cors', { routes: [] }), 'No route takes POST /x'],
    ['an origin without the key', asked('POST', 'https://api.example/x'), 'name the origin in key.crossOrigin'],
    ['a PUT without a precondition', asked('PUT', `${own}/docs/1`), 'no precondition'],
    ['a credential at rest', asked('POST', `${own}/x`, [['Authorization', 'Bearer t']]), 'supply it with beforeSend'],
    ['a form answered with JSON', asked('POST', `${own}/x`, [], 'navigate'), 'set reply: { redirect }'],
  ])('%s', (_, said, part) => {
    expect(said).toEqual([expect.stringContaining(part)]);
    expect(said[0]).toMatch(/^\[holdfast\] /);
  });

  it('the same outbox twice, and a route for reads', () => {
    const resolved = resolveConfig({ routes: [{ name: 'all', match: '/*', methods: ['GET', 'POST'] }] });
    const said = heard((hints) => {
      const system = fakeSystem();
      hints.worker(resolved, system, () => Promise.resolve(0));
      hints.worker(resolved, system, () => Promise.resolve(0));
    });
    expect(said).toEqual([expect.stringContaining('takes GET'), expect.stringContaining('installOutbox ran twice')]);
  });

  it('a worker that does not claim the open pages', async () => {
    const system = fakeSystem();
    const said: string[] = [];
    createHints((message) => said.push(message)).worker(resolveConfig(config), system, () => Promise.resolve(1));
    await system.passMs(5_000);
    expect(said).toEqual([expect.stringContaining('clients.claim()')]);
  });

  it('a worker that is not ours', () => {
    expect(heard((hints) => hints.strangeWorker('outbox'))).toEqual([expect.stringContaining('installOutbox')]);
  });

  it('nothing of what is right', () => {
    expect(asked('PUT', `${own}/docs/1`, [['if-match', '"1"']])).toEqual([]);
    expect(
      asked('POST', 'https://api.example/x', [], 'cors', { key: { crossOrigin: ['https://api.example'] } }),
    ).toEqual([]);
    expect(asked('POST', `${own}/x`, [['authorization', 't']], 'cors', { beforeSend: () => ({}) })).toEqual([]);
    expect(asked('GET', `${own}/x`, [], 'cors', { routes: [] })).toEqual([]);
  });
});

it('a production build has no hints at all', () => {
  expect(inProduction).toBeUndefined();
});
