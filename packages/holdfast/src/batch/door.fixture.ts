import type { OutboxConfig } from '../core/options';
import type { Outgoing } from '../ports';
import type { FakeAnswer } from '../testing/fake-transport';
import type { Rig } from '../testing/rig';
import { batchDoor } from './index';

export interface Part {
  readonly method: string;
  readonly target: string;
  readonly lane?: string;
  readonly headers: [string, string][];
  readonly body?: { text: string };
}
export type PartAnswer = { status: number; type?: string; body?: unknown };

export const problem = (status: number, code: string): PartAnswer => ({
  status,
  type: 'application/problem+json',
  body: { type: `urn:holdfast:idempotency:${code}`, status },
});
export const notAttempted = problem(424, 'not-attempted');

export function partsOf(request: Outgoing): Part[] {
  const { requests } = JSON.parse(new TextDecoder().decode(request.body as Uint8Array)) as { requests: Part[] };
  return requests;
}

const answered = (answers: readonly PartAnswer[]): FakeAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: {
    answers: answers.map(({ status, type = 'application/json', body }) => ({
      status,
      headers: [['content-type', type]],
      body: body === undefined ? null : { text: JSON.stringify(body) },
    })),
  },
});

/** A server with a door: each part is answered by `one`, and after a failure the rest of a lane is not attempted. */
export function withDoor(
  one: (part: Part) => PartAnswer,
  alone: (request: Outgoing) => FakeAnswer = () => ({ status: 201 }),
) {
  return (request: Outgoing): FakeAnswer => {
    if (!request.url.endsWith('/batch')) return alone(request);
    const failed = new Set<string | undefined>();
    return answered(
      partsOf(request).map((part) => {
        if (part.lane !== undefined && failed.has(part.lane)) return notAttempted;
        const answer = one(part);
        if (answer.status >= 400 || [307, 308].includes(answer.status)) failed.add(part.lane);
        return answer;
      }),
    );
  };
}

export const config = (lane: string | null): OutboxConfig => ({
  routes: [{ name: 'orders', match: '/orders/*', lane, batch: batchDoor() }],
});

export async function queued(outbox: Rig, count: number): Promise<void> {
  for (let n = 1; n <= count; n += 1) await outbox.add(`/orders/${n}`, { body: `{"n":${n}}` });
}
export const paths = (outbox: Rig): string[] => outbox.transport.sent.map(({ url }) => new URL(url).pathname);
export const states = async (outbox: Rig): Promise<string[]> => (await outbox.all()).map(({ state }) => state);
export const outcomes = async (outbox: Rig): Promise<string[]> => (await outbox.all()).map(({ outcome }) => outcome);
