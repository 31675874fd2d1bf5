import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { seriesOf } from '../../packages/holdfast/src/testing/index.ts';
import type { Line } from './comparisons.ts';

/** Colours by their role; the second set is for people who prefer the dark. */
const look = `
:root { --paper: #ffffff; --ink: #1d2530; --faint: #d9dee5; --down: #f3e3df; --bar: #2b66c4; --best: #0b7a5c; --line: #b3370f; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14181d; --ink: #e4e8ee; --faint: #38404b; --down: #33211d; --bar: #7fb0ff; --best: #4fd1a5; --line: #ff9a6b; }
}`;

const width = 760;

/** What all pictures have in common. */
function svg(options: Plot.PlotOptions): string {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const root = Plot.plot({
    document,
    width,
    marginBottom: 44,
    style: { background: 'var(--paper)', color: 'var(--ink)', fontFamily: 'system-ui, sans-serif', fontSize: '13px' },
    ...options,
  });
  root.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  root.setAttribute('role', 'img');
  const style = document.createElement('style');
  style.textContent = look;
  root.prepend(style);
  return `${root.outerHTML}\n`;
}

interface Arrival {
  readonly policy: string;
  /** Seconds since the server came back. */
  readonly from: number;
  readonly arrivals: number;
}

/**
 * Arrivals at the server, one row for each policy. The axis is of square roots: a crowd of a thousand and a trickle of ten
 * are both to be seen.
 */
export function arrivalsPicture(lines: readonly Line[], untilSeconds: number, best?: string): string {
  const first = lines[0];
  if (!first) throw new Error('nothing to draw');
  const { backAt, scenario } = first.run;
  const data: Arrival[] = lines.flatMap(({ policy, run }) =>
    seriesOf(run).map(({ atMs, arrivals }) => ({ policy: policy.name, from: atMs / 1_000 - backAt, arrivals })),
  );
  const shown = data.filter(({ from, arrivals }) => from < untilSeconds && arrivals > 0);
  const capacity = scenario.server.perSecond;
  return svg({
    height: 64 + 96 * lines.length,
    marginLeft: 50,
    marginTop: 34,
    fy: { label: null, axis: null, domain: lines.map(({ policy }) => policy.name), padding: 0.24 },
    x: { label: 'seconds since the server came back →', domain: [-backAt, untilSeconds] },
    y: { type: 'sqrt', label: '↑ requests a second', ticks: [0, 50, 250, 1_000], domain: [0, 1_000], clamp: true },
    marks: [
      Plot.rect([{ x1: -backAt, x2: 0, y1: 0, y2: 1_000 }], {
        x1: 'x1',
        x2: 'x2',
        y1: 'y1',
        y2: 'y2',
        fill: 'var(--down)',
      }),
      Plot.gridY({ ticks: [50, 250, 1_000], stroke: 'var(--faint)', strokeOpacity: 1 }),
      Plot.rect(shown, {
        x1: 'from',
        x2: ({ from }: Arrival) => from + 1,
        y1: 0,
        y2: 'arrivals',
        fy: 'policy',
        fill: ({ policy }: Arrival) => (policy === best ? 'var(--best)' : 'var(--bar)'),
      }),
      Plot.ruleY([capacity], { stroke: 'var(--line)', strokeDasharray: '4 3' }),
      Plot.ruleY([0], { stroke: 'var(--ink)' }),
      Plot.text(lines, {
        fy: ({ policy }: Line) => policy.name,
        text: ({ policy, figures }: Line) => `${policy.name}: ${sayPeak(figures.peak)}`,
        frameAnchor: 'top-right',
        dy: -14,
        fontWeight: 'bold',
        fill: 'var(--ink)',
      }),
      Plot.text([{ x: -backAt / 2, policy: first.policy.name }], {
        x: 'x',
        fy: 'policy',
        text: () => 'down',
        frameAnchor: 'top',
        dy: -14,
        fill: 'var(--ink)',
      }),
      Plot.text([{ policy: lines.at(-1)?.policy.name }], {
        fy: 'policy',
        x: untilSeconds,
        y: capacity,
        text: () => `what it can do: ${capacity} a second`,
        textAnchor: 'end',
        dy: -8,
        fill: 'var(--line)',
      }),
    ],
  });
}

const sayPeak = (peak: number): string => `at most ${peak} a second after it came back`;

/** A line and where it is named. */
export interface NamedLine {
  readonly line: Line;
  readonly name: string;
  /** It is named where so large a share of all still waits, in (0, 1), on this side of it. */
  readonly level: number;
  readonly side: 'left' | 'right';
}

interface Waiting {
  readonly name: string;
  /** Seconds since the server came back. */
  readonly at: number;
  readonly waiting: number;
}

/** How many requests still wait, one line for each policy. */
export function waitingPicture(lines: readonly NamedLine[], untilSeconds: number, best: string): string {
  const backAt = lines[0]?.line.run.backAt ?? 0;
  const data = lines.flatMap(({ line, name }) =>
    seriesOf(line.run)
      .map(({ atMs, waiting }): Waiting => ({ name, at: atMs / 1_000 - backAt, waiting }))
      .filter(({ at }) => at <= untilSeconds),
  );
  const most = Math.max(...data.map(({ waiting }) => waiting));
  const colour = ({ name }: { readonly name: string }): string => (name === best ? 'var(--best)' : 'var(--bar)');
  const labels = lines.flatMap(({ name, level, side }) => {
    const point = data.find((one) => one.name === name && one.at > 0 && one.waiting <= level * most);
    return point ? [{ ...point, side }] : [];
  });
  return svg({
    height: 370,
    marginLeft: 56,
    marginRight: 24,
    x: { label: 'seconds since the server came back →', domain: [-backAt, untilSeconds] },
    y: { label: '↑ requests that wait', domain: [0, most], ticks: 5 },
    marks: [
      Plot.rect([{ x1: -backAt, x2: 0, y2: most }], { x1: 'x1', x2: 'x2', y1: 0, y2: 'y2', fill: 'var(--down)' }),
      Plot.text([{ x: -backAt / 2, y: most }], { x: 'x', y: 'y', text: () => 'down', dy: 14, fill: 'var(--ink)' }),
      Plot.gridY({ ticks: 5, stroke: 'var(--faint)', strokeOpacity: 1 }),
      Plot.line(data, {
        x: 'at',
        y: 'waiting',
        z: 'name',
        stroke: colour,
        strokeWidth: ({ name }: Waiting) => (name === best ? 3 : 1.4),
      }),
      Plot.ruleY([0], { stroke: 'var(--ink)' }),
      ...(['left', 'right'] as const).map((side) =>
        Plot.text(
          labels.filter((label) => label.side === side),
          {
            x: 'at',
            y: 'waiting',
            text: 'name',
            textAnchor: side === 'left' ? 'end' : 'start',
            dx: side === 'left' ? -7 : 7,
            dy: -5,
            fill: colour,
            stroke: 'var(--paper)',
            strokeWidth: 4,
            fontWeight: 'bold',
          },
        ),
      ),
    ],
  });
}
