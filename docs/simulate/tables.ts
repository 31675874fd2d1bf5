import { jitterName } from '../../packages/holdfast/src/testing/simulator/policies.ts';
import type { JitterRank } from '../../packages/holdfast/src/testing/index.ts';
import { type Comparisons, enduredMinutes, type Line } from './comparisons.ts';

const number = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const seconds = (ms: number | null): string => (ms === null ? 'not in an hour' : `${number.format(ms / 1_000)} s`);
export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Rows of cells as a table of Markdown, figures to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, nth) => (nth === 0 ? '---' : '---:'));
  return [head, rule, ...body].map(line).join('\n');
}

export function policyTable(lines: readonly Line[]): string {
  return table([
    [
      'policy',
      'peak while down',
      'peak after',
      'peak/mean',
      'half done',
      '19 of 20 done',
      'all done',
      'wasted',
      'of these after',
    ],
    ...lines.map(({ policy, figures }) => [
      policy.name,
      `${number.format(figures.peakWhileDown)}/s`,
      `${number.format(figures.peak)}/s`,
      figures.peakToMean.toFixed(1),
      seconds(figures.halfMs),
      seconds(figures.drainMs),
      seconds(figures.lastMs),
      number.format(figures.wasted),
      number.format(figures.wastedAfter),
    ]),
  ]);
}

export function rankTable(ranks: readonly JitterRank[]): string {
  return table([
    ['jitter', 'given up in a minute', 'cost'],
    ...ranks.map(({ jitter, givenUp, cost }, nth) => {
      const cells = [jitterName(jitter), percent(givenUp), cost.toFixed(2)];
      return nth === 0 ? cells.map((cell) => `**${cell}**`) : cells;
    }),
  ]);
}

export function enduranceTable(endurance: Comparisons['endurance']): string {
  return table([
    ['while it is down', ...enduredMinutes.map((minutes) => `${minutes} min`)],
    ...endurance.map(({ kind, shares }) => [kind, ...shares.map(percent)]),
  ]);
}
