import type { Book } from '../../core/control';
import type { Entry } from '../../core/entry';
import { headerOf, withHeaders } from '../../core/header-pairs';
import type { Arrival, Outgoing, Ports, Rows } from '../../ports';
import { oldStamp } from './app';
import type { Plant } from './world';

/*
 * Bugs put in on purpose, one each: what a checker that is worth its time must find. They stand between the flow and its ports,
 * so the flow itself is as it is.
 */

/** Lets what the flow does to the rows pass through other hands. */
function rowsThrough(ports: Ports, through: (rows: Rows) => Partial<Rows>): Ports {
  return {
    ...ports,
    store: {
      ...ports.store,
      transact: (durability, work) => ports.store.transact(durability, (rows) => work({ ...rows, ...through(rows) })),
    },
  };
}

/** Changes rows on their way into the store. */
function writing(change: (entry: Entry) => Entry): Plant {
  return { ports: (ports) => rowsThrough(ports, (rows) => ({ put: (entry) => rows.put(change(entry)) })) };
}

/** Changes what leaves. */
function sending(change: (request: Outgoing, ports: Ports) => Outgoing): Plant {
  return {
    ports: (ports) => ({
      ...ports,
      transport: {
        ...ports.transport,
        send: (request, ...rest) => ports.transport.send(change(request, ports), ...rest),
      },
    }),
  };
}

/** Changes what comes back from the network. */
function hearing(change: (arrival: Arrival) => Arrival): Plant {
  return {
    ports: (ports) => ({
      ...ports,
      transport: { ...ports.transport, send: async (...args) => change(await ports.transport.send(...args)) },
    }),
  };
}

function miscounted<T extends Partial<Book>>(book: T): T {
  const subjects = Object.entries(book.subjects ?? {}).map(([name, counts]) => [
    name,
    { ...counts, dead: counts.dead + 1 },
  ]);
  return { ...book, subjects: Object.fromEntries(subjects) as Book['subjects'] };
}

export interface Planted {
  readonly plant: Plant;
  /** Of which promise the first violation may speak. */
  readonly breaks: RegExp;
}

export const planted: Readonly<Record<string, Planted>> = {
  'an entry is deleted before it is sent': {
    breaks: /nothing lost|counts/,
    plant: {
      ports: (ports) =>
        rowsThrough(ports, (rows) => ({
          put: (entry) => (entry.state === 'sending' ? rows.remove(entry.seq) : rows.put(entry)),
        })),
    },
  },
  'a server error counts as delivered': {
    breaks: /nothing lost/,
    plant: hearing((arrival) =>
      arrival.kind === 'answer' && arrival.answer.status >= 500
        ? { kind: 'answer', answer: { ...arrival.answer, status: 200, response: { status: 200 } } }
        : arrival,
    ),
  },
  'a captive portal counts as delivered': {
    breaks: /nothing lost/,
    plant: hearing((arrival) =>
      arrival.kind === 'answer' && headerOf(arrival.answer.headers, 'content-type') === 'text/html'
        ? { kind: 'answer', answer: { ...arrival.answer, status: 200, headers: [] } }
        : arrival,
    ),
  },
  'a late settle is not fenced off: every claim has the same token': {
    breaks: /one effect|gentle/,
    plant: writing((entry) => (entry.lease ? { ...entry, lease: { ...entry.lease, token: 7 } } : entry)),
  },
  'a replay gets a new key': {
    breaks: /one effect/,
    plant: writing((entry) =>
      entry.replays > 0 && !entry.key.includes('again') ? { ...entry, key: `${entry.key}-again` } : entry,
    ),
  },
  'the key is not on the first, live attempt': {
    breaks: /one effect/,
    plant: {
      ports: (ports) => {
        const seen = new Set<string>();
        return {
          ...ports,
          transport: {
            ...ports.transport,
            send: (request, ...rest) => {
              const key = headerOf(request.headers, 'idempotency-key') ?? '';
              const isFirst = !seen.has(key);
              seen.add(key);
              const headers = isFirst ? withHeaders(request.headers, { 'idempotency-key': null }) : request.headers;
              return ports.transport.send({ ...request, headers }, ...rest);
            },
          },
        };
      },
    },
  },
  'an attempt without an answer counts as "never sent"': {
    breaks: /one effect/,
    plant: writing((entry) => (entry.outcome === 'unknown' ? { ...entry, outcome: 'never-sent' } : entry)),
  },
  'everybody in a lane is first': {
    breaks: /order/,
    plant: writing((entry) => (entry.state === 'pending' ? { ...entry, head: true } : entry)),
  },
  'a live request does not see its backlog': {
    breaks: /order/,
    plant: { ports: (ports) => rowsThrough(ports, () => ({ laneTail: () => Promise.resolve(undefined) })) },
  },
  'whoever is next in line is never made first': {
    breaks: /always wakes|no stranger waits/,
    plant: {
      ports: (ports) =>
        rowsThrough(ports, (rows) => ({
          put: async (entry) => {
            const before = await rows.bySeq(entry.seq);
            await rows.put(before ? { ...entry, head: entry.head && before.head } : entry);
          },
        })),
    },
  },
  'being offline costs attempts': {
    breaks: /offline is free/,
    plant: writing((entry) =>
      entry.lastFailure?.class === 'offline' ? { ...entry, attempts: entry.attempts + 1 } : entry,
    ),
  },
  'timers further away than a minute are lost': {
    breaks: /always wakes|no stranger waits/,
    plant: {
      ports: (ports) => ({
        ...ports,
        system: {
          ...ports.system,
          timer: (delayMs, work) => (delayMs > 60_000 ? () => undefined : ports.system.timer(delayMs, work)),
        },
      }),
    },
  },
  'deadlines are forgotten': {
    breaks: /nothing silent/,
    plant: writing(({ expiresAt: _, ...entry }) => entry),
  },
  '`Retry-After` is not heard': {
    breaks: /gentle/,
    plant: hearing((arrival) =>
      arrival.kind === 'answer'
        ? {
            kind: 'answer',
            answer: { ...arrival.answer, headers: withHeaders(arrival.answer.headers, { 'retry-after': null }) },
          }
        : arrival,
    ),
  },
  'deaths are not told': {
    breaks: /nothing silent/,
    plant: { context: (context) => ({ ...context, tell: (event) => event.type !== 'dead' && context.tell(event) }) },
  },
  'the dead have no reason': {
    breaks: /nothing silent/,
    plant: writing((entry) => (entry.dead ? { ...entry, dead: { ...entry.dead, message: '' } } : entry)),
  },
  'the book counts one too many': {
    breaks: /counts/,
    plant: {
      ports: (ports) =>
        rowsThrough(ports, (rows) => ({
          putControl: (name, value) =>
            rows.putControl(name, 'buckets' in value ? (miscounted(value) as typeof value) : value),
        })),
    },
  },
  'the lock lets everybody in': {
    breaks: /one effect/,
    plant: {
      ports: (ports) => ({
        ...ports,
        lock: {
          hold: async (_name, _options, work) => ({ held: true, value: await work({ lost: false, alone: true }) }),
        },
      }),
    },
  },
  'large bodies go whatever the connection costs': {
    breaks: /gentle/,
    plant: { ports: (ports) => ({ ...ports, system: { ...ports.system, saysMetered: () => false } }) },
  },
  'whoever comes next does not get the ETag of the one before it': {
    breaks: /as it was/,
    plant: writing(({ ifMatch: _, ...entry }) => entry),
  },
  'what is fresh for one attempt is left out of it': {
    breaks: /as it was/,
    plant: sending((request) => {
      const text = new TextDecoder().decode(request.body as Uint8Array);
      return { ...request, body: new TextEncoder().encode(text.replace('"stamp":"new"', `"stamp":"${oldStamp}"`)) };
    }),
  },
  'bytes change between attempts': {
    breaks: /one effect/,
    plant: sending((request, { system }) => ({
      ...request,
      headers: withHeaders(request.headers, { 'x-attempt': String(system.now()) }),
    })),
  },
};
