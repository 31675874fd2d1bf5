import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../browsers/engine.ts';
import { enginesUnderTest } from '../browsers/engines-under-test.ts';
import { launch } from '../browsers/launch.ts';
import type { RequestRecord } from '../peer/request-record.ts';
import type { SmallApp } from './app/page.ts';
import { buildApp } from './build-app.ts';
import { filesHolding } from './find-bytes.ts';
import { startSite, type Site } from '../peer/site.ts';

type Page = Window & { readonly app: SmallApp };

/** What is planted, and occurs nowhere else. */
interface Planted {
  readonly token: string;
  readonly phone: string;
  /** Another one, in a body too large to lie in its row. */
  readonly farPhone: string;
}

/** No two of them alike and none that stands in "Bearer", so that compression finds nothing to shorten: see `find-bytes.ts`. */
function tokenOfDifferentLetters(): string {
  const left = [...'CDFGHIJKLMNOPQSTUVWXYZbcdfghijklmnopqstuvwxyz0123456789-_'];
  return Array.from({ length: 24 }, () => left.splice(randomInt(left.length), 1)).join('');
}

const plant = (): Planted => ({
  token: tokenOfDifferentLetters(),
  phone: `+351${randomInt(1e11, 9e11)}`,
  farPhone: `+351${randomInt(1e11, 9e11)}`,
});

const bodyOf = (phone: string): string => JSON.stringify({ call: phone });
const largeBodyOf = (phone: string): string => JSON.stringify({ call: phone, padding: 'p'.repeat(60_000) });
const carried = (record: RequestRecord | undefined): [string | undefined, string] => [
  record?.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1],
  Buffer.from(record?.bodyBase64 ?? '', 'base64').toString(),
];

const engines = enginesUnderTest.filter(({ name }) => name !== 'webkit');

for (const { name, installed } of engines) {
  describe.skipIf(!installed)(`on the disk of ${name}`, () => {
    let folder: string;
    let profile: string;
    let served: Site;
    let engine: Engine;

    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'holdfast-rest-'));
      profile = join(folder, 'profile');
      served = await startSite(await buildApp());
    });
    afterEach(async () => {
      await engine?.close();
      await served.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    });

    /** Queues two requests while the server is down, and kills the browser. */
    async function keepAndKill(planted: Planted, query: string): Promise<void> {
      engine = await launch(name, { profile });
      await engine.open(`${served.url}/${query}`);
      await engine.waitFor(
        'navigator.serviceWorker.controller !== null && window.app.outbox.status().sender === "worker"',
      );
      await served.stop();
      const statuses = await engine.evaluate(
        async ({ token, bodies }: { token: string; bodies: string[] }) => {
          const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
          const answers: number[] = [];
          for (const body of bodies) {
            answers.push((await fetch('/__echo?run=rest', { method: 'POST', headers, body })).status);
          }
          return answers;
        },
        { token: planted.token, bodies: [bodyOf(planted.phone), largeBodyOf(planted.farPhone)] },
      );
      expect(statuses).toEqual([202, 202]);
      await engine.kill();
    }

    /** Which of the planted lie somewhere in the profile. */
    const found = (planted: Planted): readonly string[] =>
      Object.entries(planted).flatMap(([name, secret]: [string, string]) =>
        filesHolding(profile, secret).length > 0 ? [name] : [],
      );

    it('an encrypted outbox leaves neither header nor body, and delivers both intact after a restart', async () => {
      const planted = plant();
      await keepAndKill(planted, '?encrypt');
      expect(filesHolding(profile, '/__echo?run=rest')).not.toEqual([]);
      expect(found(planted)).toEqual([]);

      await served.start();
      engine = await launch(name, { profile });
      await engine.open(`${served.url}/?encrypt`);
      await engine.evaluate(async () => {
        const { outbox } = (window as unknown as Page).app;
        await outbox.flush({ force: true });
        await outbox.whenIdle();
        return true;
      });
      const arrived = (await served.arrived('rest')).map(carried);
      expect(arrived).toHaveLength(2);
      // Without a lane there is no order.
      expect(new Set(arrived)).toEqual(
        new Set([
          [`Bearer ${planted.token}`, bodyOf(planted.phone)],
          [`Bearer ${planted.token}`, largeBodyOf(planted.farPhone)],
        ]),
      );
    });

    it('the same scan finds the header and both bodies where nothing is encrypted', async () => {
      const planted = plant();
      await keepAndKill(planted, '');
      expect(found(planted)).toEqual(['token', 'phone', 'farPhone']);
    });
  });
}
