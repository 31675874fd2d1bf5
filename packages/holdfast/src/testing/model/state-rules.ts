import { standing } from '../../core/gates';
import { laneKeyOf } from '../../core/index-keys';
import type { Entry } from '../../core/entry';
import { nameOf } from './facts';
import { storageIsGone } from './watched-store';
import type { World } from './world';

/** What must hold whenever everything that can happen by itself has happened. */
export interface StateRules {
  /** To be called after each step. @param struck a tab was killed, frozen or robbed in it */
  check(struck: boolean): void;
}

export function createStateRules(world: World): StateRules {
  const announced = new Set<string>();
  let read = 0;
  let heard = 0;

  /** Every death is told: by a log record and by an event, unless who should tell was struck down. */
  function checkNews(struck: boolean): void {
    for (; read < world.logs.length; read += 1) {
      const { event, id, message = '' } = world.logs[read] ?? { event: 'error' as const };
      if (id !== undefined && event !== 'attempt' && event !== 'enqueue' && event !== 'retry') announced.add(id);
      if (event === 'error' && !message.includes(storageIsGone)) {
        world.facts.violated('nothing silent', `the flow failed with ${message}`);
      }
    }
    for (; heard < world.events.length; heard += 1) {
      const event = world.events[heard];
      if (event && 'entry' in event) announced.add(`told ${event.entry.id}`);
    }
    const excused = struck || world.tabs.some((tab) => tab.frozen);
    for (const row of world.facts.rows.values()) {
      if (row.state !== 'dead' || row.dead?.reason === 'superseded') continue;
      if (announced.has(row.id) && announced.has(`told ${row.id}`)) continue;
      if (!excused)
        world.facts.violated('nothing silent', `${nameOf(row)} died (${row.dead?.reason}) and nobody said so`);
      announced.add(row.id).add(`told ${row.id}`);
    }
  }

  /** While something can still happen to a row, somebody will look again by himself. */
  function checkWake(): void {
    const { facts, network, weather } = world;
    const awake = world.awake();
    if (awake.length === 0 || network.flights().length > 0 || weather.failing > 0) return;
    // What somebody changed who was struck down before he could say so is found by the next look of an idle page.
    const saidSo = (row: Entry) => awake.some((tab) => tab.name === facts.touchedBy.get(row.seq));
    const waiting = [...facts.rows.values()].find((row) => canMove(world, row) && saidSo(row));
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
