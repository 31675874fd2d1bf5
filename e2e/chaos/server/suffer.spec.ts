import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { suffer } from './suffer.ts';
import type { Fate } from './weather.ts';

/** What a caller hears of an API that answers everything with `status`. */
async function heard(fate: Fate, status: number): Promise<number> {
  const server = createServer((request, response) => {
    void suffer(fate, async (_request, answer) => void answer.writeHead(status).end('{}'), request, response, 0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}/`, { method: 'POST' }).then(
    (answer) => answer.status,
    () => 0,
  );
}

test('an answer that is cut off says nothing that the API did not say', async () => {
  // Some clients hear its first line, others only that it broke.
  expect([422, 0]).toContain(await heard('cut-answer', 422));
  expect([201, 0]).toContain(await heard('cut-answer', 201));
});
