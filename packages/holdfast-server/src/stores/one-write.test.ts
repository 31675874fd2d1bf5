import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ask } from '../testing/asks';
import { redisStore } from './redis';
import type { RedisClient } from './redis';

/** A client whose server takes every claim, and how many commands each write to its socket held. */
function clientOf(stream: Writable | undefined): RedisClient {
  return {
    ...(stream && { stream }),
    async callBuffer(command, ...args) {
      stream?.write([command, ...args].join(' '));
      return command === 'CONFIG' ? [] : 1;
    },
  };
}

function socket(): { stream: Writable; writes: number[] } {
  const writes: number[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(_chunk, _encoding, done) {
      writes.push(1);
      done();
    },
    writev(chunks, done) {
      writes.push(chunks.length);
      done();
    },
  });
  return { stream, writes };
}

describe('commands to Redis', () => {
  it('leave in one write if they were given in one turn, and else each in its own', async () => {
    const { stream, writes } = socket();
    const store = redisStore({ client: clientOf(stream) });
    await store.claim(ask('first', 'a')); // and the question whether the server evicts
    await turn();
    writes.length = 0;

    await Promise.all(['one', 'two', 'three'].map((id) => store.claim(ask(id, 'a'))));
    await turn();
    expect(writes).toEqual([3]);
    await store.claim(ask('four', 'a'));
    await turn();
    expect(writes).toEqual([3, 1]);
  });

  it('are held back on the socket they were written to, also when the client has got another one', async () => {
    const [old, next] = [socket(), socket()];
    const client = { ...clientOf(old.stream), stream: old.stream };
    const store = redisStore({ client });
    await store.claim(ask('one', 'a'));
    client.stream = next.stream;
    await turn();
    expect([old.stream.writableCorked, next.stream.writableCorked]).toEqual([0, 0]);
    await store.claim(ask('two', 'a'));
    expect(next.stream.writableCorked).toBe(1);
    await turn();
    expect(next.stream.writableCorked).toBe(0);
  });

  it('go as they are to a client that has no socket of its own, as that of a cluster', async () => {
    expect(await redisStore({ client: clientOf(undefined) }).claim(ask('one', 'a'))).toEqual({
      kind: 'claimed',
      runs: 1,
    });
  });
});
