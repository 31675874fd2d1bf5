import type { Effect, Held, Told } from './intent.ts';

export interface Figures {
  /** Writes the page was told are kept or done. */
  readonly accepted: number;
  /** Those that took effect. */
  readonly delivered: number;
  /** Those listed as dead letters, for a person to see. */
  readonly dead: number;
  /** Kept, then neither in effect nor held by anybody. */
  readonly lost: number;
  /** The same, but kept before the browser threw away its whole store: not lost by us, and not counted above. */
  readonly lostByBrowser: number;
  /** Effects beyond the first of one write, accepted or not. */
  readonly duplicatedEffects: number;
  /** Writes that took effect before one of their lane that the app had made earlier. */
  readonly laneViolations: number;
  /** Still waiting when everything was let through. */
  readonly stuck: number;
  /** The page was told "done" and it was not. */
  readonly falselyAccepted: number;
}

export interface Checked extends Figures {
  /** One line for each thing that is wrong, for people. */
  readonly findings: readonly string[];
}

/** Clocks of two pages may differ by less than this; only what is further apart is "earlier" for sure, ms. */
const clocksDifferMs = 50;

/**
 * Compares what pages were told with what the server did and what the queue holds.
 *
 * @param wipedAt when the browser last began with an empty store, epoch ms; undefined: never
 */
export function check(
  told: readonly Told[],
  effects: readonly Effect[],
  held: readonly Held[],
  wipedAt = -Infinity,
): Checked {
  const findings: string[] = [];
  const find = (kind: string, about: string): number => findings.push(`${kind}: ${about}`);

  const position = new Map<string, number>();
  let duplicatedEffects = 0;
  for (const [at, { intent, key }] of effects.entries()) {
    if (!position.has(intent)) position.set(intent, at);
    else {
      duplicatedEffects += 1;
      find('duplicate', `${intent} took effect again as ${key} (first as ${effects[position.get(intent)!]?.key})`);
    }
  }

  const writes = byIntent(told);
  const states = new Map(held.map(({ intent, state }) => [intent, state]));
  const accepted = [...writes.values()].filter(({ queued, done }) => queued || done);
  let lost = 0;
  let lostByBrowser = 0;
  let falselyAccepted = 0;
  for (const { intent, queued, doors, toldAt } of accepted) {
    if (position.has(intent)) continue;
    const where = `${intent} (${doors.join(', ')}), ${states.get(intent) ?? 'held by nobody'}`;
    if (!queued) falselyAccepted += find('told done', where) > 0 ? 1 : 0;
    else if (!states.has(intent) && toldAt < wipedAt) lostByBrowser += 1;
    else if (!states.has(intent)) lost += find('lost', where) > 0 ? 1 : 0;
  }

  const waiting = [...states].filter(([, state]) => state !== 'dead');
  for (const [intent, state] of waiting) find('stuck', `${intent} is ${state}`);

  const overtaking = overtakings(accepted, position);
  for (const { write, passed } of overtaking) {
    find(
      'overtook',
      `${write.intent} (${write.doors.join()}) passed ${passed.intent} (${passed.doors.join()}) in ${write.lane}`,
    );
  }

  return {
    accepted: accepted.length,
    delivered: accepted.filter(({ intent }) => position.has(intent)).length,
    dead: accepted.filter(({ intent }) => states.get(intent) === 'dead').length,
    lost,
    lostByBrowser,
    duplicatedEffects,
    laneViolations: overtaking.length,
    stuck: waiting.length,
    falselyAccepted,
    findings,
  };
}

/** All a page and a worker said of one write, in one. */
interface Write {
  readonly intent: string;
  readonly lane: string | null;
  readonly queued: boolean;
  readonly done: boolean;
  readonly doors: readonly string[];
  /** Who made it and as which; those of one maker are in order whether or not it waited for an answer in between. */
  readonly maker: string;
  readonly nth: number;
  readonly begunAt: number;
  readonly toldAt: number;
}

function byIntent(told: readonly Told[]): Map<string, Write> {
  const writes = new Map<string, Write>();
  for (const one of told) {
    const before = writes.get(one.intent);
    const accepted = one.kind === 'queued' || one.kind === 'done';
    writes.set(one.intent, {
      intent: one.intent,
      lane: one.lane,
      queued: (before?.queued ?? false) || one.kind === 'queued',
      done: (before?.done ?? false) || one.kind === 'done',
      doors: [...(before?.doors ?? []), one.door],
      maker: one.door === 'worker' && before ? before.maker : `${one.page} ${one.door}`,
      nth: one.nth,
      begunAt: Math.min(before?.begunAt ?? Infinity, one.begunAt),
      toldAt: Math.min(before?.toldAt ?? Infinity, accepted ? one.toldAt : Infinity),
    });
  }
  return writes;
}

interface Overtaking {
  readonly write: Write;
  readonly passed: Write;
}

/**
 * Those that took effect too early. One write is earlier than another of its lane if the page had been told about it before
 * the other was begun, in any page, or if both were made by one page through one door.
 */
function overtakings(accepted: readonly Write[], position: ReadonlyMap<string, number>): Overtaking[] {
  const lanes = new Map<string, Write[]>();
  for (const write of accepted) {
    if (write.lane === null || !position.has(write.intent)) continue;
    lanes.set(write.lane, [...(lanes.get(write.lane) ?? []), write]);
  }
  return [...lanes.values()].flatMap((lane) => {
    // From the last effect to the first: was anything that came later in effect earlier in time?
    const late = lane.sort((one, other) => position.get(other.intent)! - position.get(one.intent)!);
    let firstTold: Write | undefined;
    const firstMade = new Map<string, Write>();
    return late.flatMap((write): Overtaking[] => {
      const made = firstMade.get(write.maker);
      const told = firstTold && firstTold.toldAt + clocksDifferMs < write.begunAt ? firstTold : undefined;
      const passed = made && made.nth < write.nth ? made : told;
      if (!firstTold || write.toldAt < firstTold.toldAt) firstTold = write;
      if (!made || write.nth < made.nth) firstMade.set(write.maker, write);
      return passed ? [{ write, passed }] : [];
    });
  });
}
