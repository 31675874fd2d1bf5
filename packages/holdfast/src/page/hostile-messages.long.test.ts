import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Channel } from '../ports';
import { rig, rigOrigin } from '../testing/rig';
import type { OutboxEvent } from './client';
import { createEvents } from './events';
import { createFeed } from './feed';

const rounds = 60;
const messagesEach = 60;

const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true });
const row = { url: 'https://evil.example/steal', request: { url: 'https://evil.example/steal' }, state: 'pending' };

/** What any script of the origin can post: noise, messages of ours with anything in their fields, and forged ones. */
const message = fc.oneof(
  anything,
  fc.record(
    {
      v: fc.oneof(fc.constantFrom(1, 2, '1'), anything),
      type: fc.oneof(fc.constantFrom('changed', 'wake', 'send', 'subject', '__proto__'), anything),
      outbox: fc.oneof(fc.constantFrom('outbox', 'other'), anything),
      revision: fc.oneof(fc.constantFrom(-1, 0, 1e308, NaN, Infinity), anything),
      ids: fc.oneof(
        fc.array(fc.oneof(fc.constantFrom('ann-1', 'bob-1', '__proto__', ''), fc.string()), { maxLength: 20 }),
        anything,
      ),
      why: fc.oneof(fc.constantFrom('online', 'person', 'timer'), anything),
      url: fc.constant(row.url),
      entry: fc.constant(row),
      rows: fc.constant([row]),
    },
    { requiredKeys: [] },
  ),
);

it('thousands of forged and malformed messages have nothing sent, change nothing, break nothing, and tell nobody of others', async () => {
  let posted = 0;
  const property = fc.asyncProperty(
    fc.array(message, { minLength: messagesEach, maxLength: messagesEach, size: 'max' }),
    async (messages) => {
      let who = 'bob';
      const { add, all, context, transport, system } = rig({ subject: () => who, server: [] });
      const bobs = await add('/bob');
      who = 'ann';
      const anns = await add('/ann');
      const before = JSON.stringify(await all());
      const ears: ((data: unknown) => void)[] = [];
      const channel: Channel = {
        hears: true,
        post: () => undefined,
        subscribe(ear) {
          ears.push(ear);
          return () => undefined;
        },
        close: () => undefined,
      };
      Object.assign(context, { channel });
      const feed = createFeed(context, () => ({
        durability: 'durable',
        persisted: 'unknown',
        sender: 'page',
        protected: false,
        backgroundSync: false,
        limits: [],
      }));
      const events: OutboxEvent[] = [];
      const heard = createEvents(context, feed);
      heard.on((event) => events.push(event));
      await feed.refresh();

      const forged = { v: 1, type: 'changed', outbox: 'outbox', revision: 9, ids: [bobs.id, anns.id] };
      for (const data of [...messages, forged]) {
        for (const ear of ears) ear(structuredClone(data));
        posted += 1;
      }
      await system.passMs(1_000);

      expect(transport.sent).toEqual([]);
      expect(JSON.stringify(await all())).toBe(before);
      expect(feed.getSnapshot()).toMatchObject({
        ready: true,
        counts: { pending: 1 },
        entries: [{ url: `${rigOrigin}/ann` }],
      });
      // The forged one had it look, and what it saw is its own.
      expect(new Set(events.map((event) => 'entry' in event && event.entry.id))).toEqual(new Set([anns.id]));
      feed.close();
    },
  );
  await fc.assert(property, { numRuns: rounds, endOnFailure: true });
  expect(posted).toBeGreaterThan(3_000);
}, 60_000);
