import { originOf } from '../../core/index-keys';
import type { Arrival, Arrived, Outgoing, System, Transport } from '../../ports';
import type { Server } from './server';

/** One request on its way. */
export interface Flight {
  readonly tab: string;
  readonly request: Outgoing;
  /** Called by whoever ends it first; later calls change nothing. */
  end(arrival: Arrival): void;
}

/** Told of everything that leaves and comes back. */
export interface Listener {
  left(tab: string, request: Outgoing, others: readonly Flight[]): void;
  /** @param reached whether the answer, good or bad, came from a server */
  ended(tab: string, request: Outgoing, arrival: Arrival): void;
}

/** The cable between all tabs and all servers. */
export interface Network {
  transport(tab: string): Transport;
  /** Cuts what is on its way and lets nothing through any more. */
  setOnline(online: boolean): void;
  online(): boolean;
  flights(): readonly Flight[];
}

export function createNetwork(server: Server, system: System, listener: Listener): Network {
  const flights = new Set<Flight>();
  /** Answers on their way to somebody who has given up on them. */
  const lingering = new Set<() => void>();
  let online = true;

  function linger(ms: number, hear: () => void): void {
    const cancel = system.timer(ms, () => {
      lingering.delete(cancel);
      hear();
    });
    lingering.add(cancel);
  }

  function send(tab: string, request: Outgoing, timeoutMs: number, late?: (answer: Arrived) => void): Promise<Arrival> {
    listener.left(tab, request, [...flights]);
    return new Promise((resolve) => {
      const timers: (() => void)[] = [];
      let lateEnd: (() => void) | undefined;
      const later = (ms: number, arrival: Arrival): void => {
        if (ms <= 0) flight.end(arrival);
        else timers.push(system.timer(ms, () => flight.end(arrival)));
      };
      const flight: Flight = {
        tab,
        request,
        end(arrival) {
          if (!flights.delete(flight)) return;
          for (const cancel of timers) cancel();
          listener.ended(tab, request, arrival);
          if (arrival.kind === 'timeout') lateEnd?.();
          resolve(arrival);
        },
      };
      flights.add(flight);
      if (!online) return flight.end(cut);
      if (timeoutMs > 0) later(timeoutMs, { kind: 'timeout', message: `no answer within ${timeoutMs} ms` });
      const says = server.receive(request);
      if ('status' in says) {
        const answer = arrived(request, says);
        const tooLate = timeoutMs > 0 && says.afterMs > timeoutMs;
        if (!tooLate) later(says.afterMs, answer);
        else if (late)
          lateEnd = () =>
            linger(says.afterMs - timeoutMs, () => {
              listener.ended(tab, request, answer);
              late(answer.answer);
            });
      } else if ('cut' in says) later(says.afterMs, cut);
    });
  }

  return {
    transport: (tab) => ({
      check: () => undefined,
      send: (request, timeoutMs, _stop, late) => send(tab, request, timeoutMs, late),
    }),
    setOnline(next) {
      online = next;
      if (online) return;
      for (const flight of flights) flight.end(cut);
      for (const cancel of lingering) cancel();
      lingering.clear();
    },
    online: () => online,
    flights: () => [...flights],
  };
}

const cut: Arrival = { kind: 'network', message: 'the connection was cut' };

function arrived(
  request: Outgoing,
  { status, headers, body }: { status: number; headers: readonly (readonly [string, string])[]; body: string },
): Extract<Arrival, { kind: 'answer' }> {
  return {
    kind: 'answer',
    answer: {
      status,
      headers,
      type: originOf(request.url) === 'https://app.example' ? 'basic' : 'cors',
      url: request.url,
      redirected: false,
      text: (maxBytes) => Promise.resolve({ text: body.slice(0, maxBytes), truncated: body.length > maxBytes }),
      // The flow hands it on as it is; what a page would make of it is no part of the model.
      response: { status },
    },
  };
}
