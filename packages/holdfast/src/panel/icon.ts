import { svg, type SVGTemplateResult } from 'lit';

/** Drawn by hand on a 20-unit grid, 1.6 units thick; decoration only, the word beside it says it. */
const paths = {
  waiting: 'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM10 6v4l2.5 2',
  sending: 'M10 16V4.5M5 9.5l5-5 5 5',
  attention: 'M10 3 18 16.5H2L10 3ZM10 8.5v3.5M10 14.2v.1',
  confirmed: 'm4 10.5 4 4 8-9',
  closed: 'M4 5h12M5 5v11h10V5M8 9h4',
  chevron: 'm5 8 5 5 5-5',
  pause: 'M7 4.5v11M13 4.5v11',
  play: 'M6.5 4v12l9-6-9-6Z',
  send: 'M3 10 17 3.5 13 17l-3.5-5.5L3 10ZM9.5 11.5 17 3.5',
  search: 'M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12ZM13.5 13.5 17.5 17.5',
  cross: 'm5 5 10 10M15 5 5 15',
  info: 'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM10 9.5V14M10 6.6v.1',
  offline: 'M3 3l14 14M6 14.5a3.5 3.5 0 0 1 .3-7M9 5a5 5 0 0 1 6 4 3 3 0 0 1 1.8 4.8M6 14.5h8.2',
  lock: 'M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 6 0V9',
} as const;

export type IconName = keyof typeof paths;

export function icon(name: IconName): SVGTemplateResult {
  return svg`<svg class="icon" part="icon" viewBox="0 0 20 20" aria-hidden="true"><path d=${paths[name]} /></svg>`;
}
