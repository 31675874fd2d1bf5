import { describe, expect, it } from 'vitest';
import { allSinks, logSink, openTelemetrySink } from './telemetry';
import type { LogRecord } from './telemetry';
import { rig } from './testing/rig';

describe('openTelemetrySink', () => {
  it('counts what became of requests, and writes it into the span being served', async () => {
    const counted: unknown[] = [];
    const spanned: unknown[] = [];
    const on = openTelemetrySink({
      meter: { createCounter: (name) => ({ add: (value, attributes) => counted.push([name, value, attributes]) }) },
      trace: {
        getActiveSpan: () => ({
          addEvent: (name) => spanned.push(name),
          setAttribute: (name, value) => spanned.push([name, value]),
        }),
      },
    });
    const { send } = rig(undefined, { on });
    await send();
    await send();
    await send({ key: '"' });
    const post = { 'http.request.method': 'POST' };
    expect(counted).toEqual([
      ['idempotency.events', 1, { 'idempotency.event': 'run', ...post }],
      ['idempotency.events', 1, { 'idempotency.event': 'keep', ...post, 'http.response.status_code': 201 }],
      ['idempotency.events', 1, { 'idempotency.event': 'replay', ...post, 'http.response.status_code': 201 }],
      ['idempotency.events', 1, { 'idempotency.event': 'refuse', 'idempotency.refusal': 'key-malformed' }],
    ]);
    expect(spanned).toContain('idempotency.replay');
    expect(spanned).toContainEqual(['idempotency.replayed', true]);
  });

  it('does with either half', () => {
    expect(() => openTelemetrySink({})({ name: 'run', at: 0 })).not.toThrow();
  });
});

describe('logSink', () => {
  it('writes plain records from a level on, errors as text', async () => {
    const records: LogRecord[] = [];
    const store = new Proxy({}, { get: () => () => Promise.reject(new Error('refused')) });
    const { send, system } = rig(undefined, { store: store as never, on: logSink((record) => records.push(record)) });
    await send();
    expect(records).toEqual([
      { level: 'warn', name: 'store-error', at: system.now(), error: 'refused' },
      expect.objectContaining({
        level: 'info',
        name: 'refuse',
        detail: 'store-unavailable',
        method: 'POST',
        target: '/orders',
      }),
    ]);
    const all: LogRecord[] = [];
    await rig(undefined, { on: logSink((record) => all.push(record), { level: 'debug' }) }).send();
    expect(all.map(({ name }) => name)).toEqual(['run', 'keep']);
  });
});

describe('allSinks', () => {
  it('tells every sink, also after one that throws', () => {
    const heard: string[] = [];
    const broken = () => {
      throw new Error('full');
    };
    allSinks(broken, (event) => heard.push(event.name))({ name: 'run', at: 0 });
    expect(heard).toEqual(['run']);
  });
});
