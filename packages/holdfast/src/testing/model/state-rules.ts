import { standing } from '../../core/gates';
import { laneKeyOf } from '../../core/index-keys';
import type { LogRecord } from '../../core/log';
import type { Entry } from '../../core/entry';
import { nameOf } from './facts';
import { storageIsGone } from './watched-store';
import type { World } from './world';

/** What must hold whenever everything that can happen by itself has happened. */
export interface StateRules {
  /** To be called after each step. @param struck a tab was killed, frozen or robbed in it */
  check(struck: boolean): void;
}

/** Log events that speak of a death. */
const deaths: readonly LogRecord['event'][] = ['dead', 'max_retry_exceeded', 'expired', 'dropped'];

function take(counts: Map<string, number>, id: string): boolean {
  const left = counts.get(id) ?? 0;
  counts.set(id, left - 1);
  return left > 0;
}

export function createStateRules(world: World): StateRules {
  const noted = new Set<string>();
  const logged = new Map<string, number>();
  const told = new Map<string, number>();
  let read = 0;
  let heard = 0;

  /** Every death is told: by a log record and by an event, unless who should tell was struck down. */
  function checkNews(struck: boolean): void {
    for (; read < world.logs.length; read += 1) {
      const { event = 'error', id = '', message = '' } = world.logs[read] ?? {};
      if (deaths.includes(event)) logged.set(id, (logged.get(id) ?? 0) + 1);
      if (event === 'error' && !message.includes(storageIsGone)) {
        world.facts.violated('nothing silent', `the flow failed with ${message}`);
      }
    }
    for (; heard < world.events.length; heard += 1) {
      const event = world.events[heard];
      if (event?.type === 'dead') told.set(event.entry.id, (told.get(event.entry.id) ?? 0) + 1);
    }
    const excused = struck || world.tabs.some((tab) => tab.frozen);
    for (const row of world.facts.rows.values()) {
      const { reason = '', at = 0 } = row.dead ?? {};
      if (row.state !== 'dead' || reason === 'superseded' || reason === 'cancelled') continue;
      const death = `${row.id} ${at}`;
      if (noted.has(death)) continue;
      noted.add(death);
      if (!excused && !(take(logged, row.id) && take(told, row.id))) {
        world.facts.violated('nothing silent', `${nameOf(row)} died (${reason}) and nobody said so`);
      }
    }
  }

  /** While something can still happen to a row, somebody will look again by himself. */
  function checkWake(): void {
    const { facts, network, weather } = world;
    const awake = world.awake();
    if (awake.length === 0 || network.flights().length > 0 || weather.failing > 0) return;
    // What somebody changed who was struck down before he could say so is found by the next look of an idle page.
    const isAwake = (name: string | undefined) => awake.some((tab) => tab.name === name);
    if (facts.gates && !isAwake(facts.gatesTouchedBy)) return;
    const waiting = [...facts.rows.values()].find(
      (row) => canMove(world, row) && isAwake(facts.touchedBy.get(row.seq)),
    );
    if (waiting && awake.every((tab) => tab.engine.drain.nextAt() === null && !tab.clock.armed())) {
      facts.violated('always wakes', `${nameOf(waiting)} can go one day, and nobody will look`);
    }
  }

  return {
    check(struck) {
      checkNews(struck);
      checkWake();
    },
  };
}

/** Whether time alone can change the row: it waits for no person and for no other entry. */
function canMove({ facts, system }: World, row: Entry): boolean {
  if (row.state === 'sending') return true;
  if (row.state !== 'pending' || !row.head || row.waitsFor?.length) return false;
  const { gates } = facts;
  const now = system.now();
  const pauses = [
    gates?.all,
    gates?.routes[row.route],
    row.lane === null ? undefined : gates?.lanes[laneKeyOf(row.subject, row.lane)],
  ];
  return pauses.every((pause) => standing(pause, now)?.until !== null);
}
