import { jitters } from '../../packages/holdfast/src/testing/index.ts';
import { jitterName } from '../../packages/holdfast/src/testing/simulator/policies.ts';
import type { Comparisons, Line } from './comparisons.ts';
import { arrivalsPicture, type NamedLine, waitingPicture } from './draw.ts';

/** What is drawn, by file name. */
export function picturesOf({ restart }: Comparisons): Readonly<Record<string, string>> {
  const named = (name: string): Line => {
    const line = restart.find(({ policy }) => policy.name === name);
    if (!line) throw new Error(`no policy is called "${name}"`);
    return line;
  };
  const label = (name: string, level: number, side: NamedLine['side']): NamedLine => ({
    line: named(`outbox, ${name}`),
    name,
    level,
    side,
  });
  const untilSeconds = 300;
  return {
    'simulation-policies.svg': arrivalsPicture(
      ['every second', 'every 5 s', 'exponential, no jitter', 'outbox, equal'].map(named),
      untilSeconds,
      'outbox, equal',
    ),
    'simulation-jitters.svg': arrivalsPicture(
      jitters.map((jitter) => named(`outbox, ${jitterName(jitter)}`)),
      untilSeconds,
      'outbox, equal',
    ),
    'simulation-waiting.svg': waitingPicture(
      [
        label('no jitter', 0.72, 'right'),
        label('±20 %', 0.45, 'right'),
        label('equal', 0.55, 'right'),
        label('decorrelated', 0.4, 'left'),
        label('full', 0.12, 'right'),
      ],
      untilSeconds,
      'equal',
    ),
  };
}
