import { html, nothing, type TemplateResult } from 'lit';
import { icon, type IconName } from './icon';
import type { Group, Telling } from './row';
import type { OutboxSnapshot } from '../core/snapshot';
import type { PanelView, Tile } from './view';

/** What stands above the list is drawn from. */
export interface HeadState {
  readonly snapshot: OutboxSnapshot;
  readonly view: PanelView;
  readonly telling: Telling;
  readonly group: Group | null;
  readonly error: string;
  readonly busy: boolean;
  readonly canSignIn: boolean;
}

/** Heading, what happens now, and the acts on the whole outbox. */
export function headTemplate({ snapshot, view, telling: { words }, canSignIn, busy }: HeadState): TemplateResult {
  const { paused, signInNeeded, counts, connectivity } = snapshot;
  const idle = counts.pending === 0;
  return html`<div class="top" part="header">
    <div class="lead">
      <h2 part="heading" id="heading" tabindex="-1">${words.heading}</h2>
      <p part="now">
        <span class=${view.tone}>${view.now}</span>${view.oldest ? html` <span>${view.oldest}</span>` : nothing}
      </p>
    </div>
    <div class="bar" part="actions">
      ${signInNeeded && canSignIn ? button('signIn', words.act.signIn, 'lock', 'primary') : nothing}
      ${
        paused
          ? button('resume', words.act.resume, 'play', 'primary')
          : html`${
              idle || signInNeeded
                ? nothing
                : button('sendNow', words.act.sendNow, 'send', connectivity === 'offline' ? '' : 'primary', busy)
            }
            ${button('pause', words.act.pause, 'pause', '')}`
      }
    </div>
  </div>`;
}

export function button(
  act: string,
  text: string,
  name: IconName | null = null,
  kind = '',
  disabled = false,
  id = '',
): TemplateResult {
  return html`<button type="button" part="button" class=${kind} data-act=${act} data-id=${id} ?disabled=${disabled}>
    ${name ? icon(name) : nothing}<span>${text}</span>
  </button>`;
}

export function noticesTemplate({ view, error, telling: { words } }: HeadState): TemplateResult {
  return html`${view.notices.map(
    ({ tone, text }) =>
      html`<div class="notice ${tone}" part="notice">
        ${icon('attention')}
        <p>${text}</p>
      </div>`,
  )}${
    error
      ? html`<div class="notice danger" part="notice">
          ${icon('attention')}
          <p>${error}</p>
          ${button('dismiss', words.act.dismiss, null, 'quiet')}
        </div>`
      : nothing
  }`;
}

/** The four counters; pressing one shows only its group, pressing it again shows everything. */
export function tilesTemplate({ view, group: chosen, telling: { words, format } }: HeadState): TemplateResult {
  const tile = ({ group, n, label }: Tile): TemplateResult =>
    html`<button
      type="button"
      part="tile"
      class="tile ${group} ${n > 0 ? 'some' : ''}"
      data-act="group"
      data-id=${group}
      aria-pressed=${chosen === group ? 'true' : 'false'}
    >
      <b>${format.number(n)}</b>${icon(group)}<small>${label}</small>
    </button>`;
  return html`<div class="tiles" role="group" aria-label=${words.label.counters}>${view.tiles.map(tile)}</div>`;
}
