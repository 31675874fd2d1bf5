import * as Plot from '@observablehq/plot';
import { shownSeconds } from './answers';
import type { Answer } from './question';

interface Arrival {
  readonly policy: string;
  readonly own: boolean;
  /** Seconds since the server came back. */
  readonly from: number;
  readonly arrivals: number;
}

/**
 * Arrivals at the server, one row for each policy. The scale is of square roots: a crowd of a thousand and a trickle of ten
 * are both to be seen.
 *
 * @param width of the drawing, CSS pixels
 */
export function arrivalsPlot(answers: readonly Answer[], width: number): Element {
  const { backAt, capacity } = answers[0] ?? { backAt: 0, capacity: 0 };
  const data = answers.flatMap(({ policy, own, series }) =>
    series
      .filter(({ arrivals }) => arrivals > 0)
      .map(({ atMs, arrivals }): Arrival => ({ policy, own, from: atMs / 1_000 - backAt, arrivals })),
  );
  const most = Math.max(capacity * 2, ...data.map(({ arrivals }) => arrivals));
  const drawing = Plot.plot({
    width,
    height: 40 + 104 * answers.length,
    marginLeft: 40,
    marginRight: 8,
    marginTop: 26,
    marginBottom: 34,
    fy: { axis: null, domain: answers.map(({ policy }) => policy), padding: 0.28 },
    x: { label: 'seconds since the server came back', domain: [-backAt, shownSeconds], ticks: width < 400 ? 5 : 8 },
    y: { type: 'sqrt', label: null, ticks: [0, capacity, most / 2, most].map(Math.round), domain: [0, most] },
    marks: [
      Plot.rect([{ x1: -backAt, x2: 0 }], { x1: 'x1', x2: 'x2', y1: 0, y2: most, fill: 'var(--attention-ground)' }),
      Plot.rect(data, {
        x1: 'from',
        x2: ({ from }: Arrival) => from + 1,
        y1: 0,
        y2: 'arrivals',
        fy: 'policy',
        fill: ({ own }: Arrival) => (own ? 'var(--confirmed)' : 'var(--sending)'),
      }),
      Plot.ruleY([capacity], { stroke: 'var(--attention)', strokeDasharray: '4 3' }),
      Plot.ruleY([0], { stroke: 'var(--control)' }),
      Plot.text(answers, {
        fy: 'policy',
        text: 'policy',
        frameAnchor: 'top-left',
        dy: -16,
        fontWeight: 'bold',
        fill: 'var(--ink)',
      }),
    ],
  });
  // Its own style element would be refused by this app's content security policy; `simulator.css` says the same.
  drawing.querySelector('style')?.remove();
  return drawing;
}
