import { dice } from '../fake-system';
import { createAgenda } from './agenda';
import { createClient } from './client';
import { outOfTheBox, type SimulatedPolicy } from './policies';
import { type Course, createCourse } from './course';
import { type Scenario, scenarioFrom, type ScenarioChanges } from './scenario';
import { createServer, type Reply } from './server';

/** One run: what was simulated and what happened. */
export interface Simulation extends Course {
  readonly scenario: Scenario;
  readonly policy: SimulatedPolicy;
  readonly seed: number;
}

/** Every browser reports `online` within so many milliseconds after the outage. */
const hintWithinMs = 2_000;

/**
 * Lets clients meet an outage and a server that recovers from it. No clock, no timers: events in the order of their moments,
 * and the same scenario, policy and seed give the same run to the last request. What clients decide is decided by the
 * functions that the outbox itself uses.
 *
 * @param changes what differs from `defaultScenario`
 * @param policy  @default this outbox as it is when nothing is configured
 * @param seed    where all dice start. @default 1
 * @throws OutboxError `bad-option` when the scenario is out of range
 */
export function simulate(changes: ScenarioChanges = {}, policy: SimulatedPolicy = outOfTheBox, seed = 1): Simulation {
  const scenario = scenarioFrom(changes);
  const { outage, outageMs, roundTripMs, timeoutMs, requestsPerClient } = scenario;
  const agenda = createAgenda();
  const server = createServer(scenario);
  const course = createCourse(scenario);

  for (let index = 0; index < scenario.clients; index += 1) {
    // Dice of its own for each client and purpose: policies are compared under the same luck.
    const own = dice(seed * 1_000_003 + 2 * index);
    const network = dice(seed * 1_000_003 + 2 * index + 1);
    const client = createClient({
      agenda,
      policy,
      roll: own,
      ordered: scenario.ordered,
      send(key, now, done) {
        const travelMs = (roundTripMs * (0.5 + network())) / 2;
        course.sent(now);
        agenda.note(now + travelMs, (there) => {
          const reply = arrive(`${index}:${key}`, there);
          const backAt = reply.at + travelMs;
          if (backAt - now > timeoutMs) agenda.note(now + timeoutMs, (late) => done(null, late));
          else agenda.note(backAt, (back) => done(reply, back));
        });
      },
      ended: (entry, now) => course.ended(entry.state === 'delivered', now),
    });
    for (let nth = 0; nth < requestsPerClient; nth += 1) {
      const share = nth === 0 ? network() * scenario.firstWithinMs : network() * outageMs;
      agenda.note(share, (now) => {
        course.made(now);
        client.write(nth + 1, now);
      });
    }
    if (outage.kind === 'unreachable' && outage.onlineHint) {
      agenda.note(outageMs + network() * hintWithinMs, (now) => client.online(now));
    }
  }

  function arrive(key: string, now: number): Reply {
    // What cannot leave is no arrival, and is known at once.
    if (outage.kind === 'unreachable' && now < outageMs) return { status: 0, at: now };
    const reply = server.take(key, now);
    course.arrived(reply.status, now);
    return reply;
  }

  agenda.runUntil(outageMs + scenario.horizonMs);
  return { scenario, policy, seed, ...course.told() };
}
