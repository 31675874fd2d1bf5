import { spreadOf } from '../client/spread.ts';
import type { Spread } from '../client/spread.ts';
import { nameOf } from './contenders.ts';
import type { Contender } from './contenders.ts';

/** What one contender did in one round. */
export interface Measured {
  readonly name: string;
  readonly perSecond: number;
  /** Processor time of the server's process for one request, in microseconds. */
  readonly cpuUs: number;
}

/** Each guarded contender against the bare one of its door, each of ours against the peer on the same store, and what each did. */
export function comparisonsOf(
  rounds: readonly (readonly Measured[])[],
  contenders: readonly Contender[],
): Record<string, Spread> {
  const results: Record<string, Spread> = {};
  const pick = (round: readonly Measured[], { door, guarding, store }: Contender): Measured | undefined =>
    round.find(({ name }) => name === nameOf({ door, guarding, ...(store && { store }) }));
  const put = (name: string, values: (number | undefined)[], digits: number): void => {
    const known = values.filter((value) => value !== undefined);
    if (known.length > 0) results[name] = spreadOf(known.map((value) => Number(value.toPrecision(digits))));
  };
  const ratio = (one: Contender, other: Contender, of: 'perSecond' | 'cpuUs'): (number | undefined)[] =>
    rounds.map((round) => {
      const [a, b] = [pick(round, one), pick(round, other)];
      return a && b && (of === 'perSecond' ? a.perSecond / b.perSecond : b.cpuUs / a.cpuUs);
    });
  for (const one of contenders.filter(({ guarding }) => guarding !== 'bare')) {
    const bare: Contender = { door: one.door, guarding: 'bare' };
    put(`${nameOf(one)} / bare`, ratio(one, bare, 'perSecond'), 3);
    put(`${nameOf(one)} / bare, by processor time`, ratio(one, bare, 'cpuUs'), 3);
    const peer: Contender = { ...one, guarding: 'core' };
    if (one.guarding === 'holdfast' && contenders.some((other) => nameOf(other) === nameOf(peer))) {
      put(`${nameOf(one)} / core`, ratio(one, peer, 'perSecond'), 3);
      put(`${nameOf(one)} / core, by processor time`, ratio(one, peer, 'cpuUs'), 3);
    }
  }
  for (const one of contenders) {
    put(
      `${nameOf(one)}, requests a second`,
      rounds.map((round) => pick(round, one)?.perSecond),
      3,
    );
    put(
      `${nameOf(one)}, microseconds of processor time`,
      rounds.map((round) => pick(round, one)?.cpuUs),
      3,
    );
  }
  return results;
}
