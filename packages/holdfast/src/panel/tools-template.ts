import { html, nothing, type TemplateResult } from 'lit';
import type { EntryView } from '../core/snapshot';
import { fits } from './filter';
import { fill } from './format';
import { fullWords } from './full-words';
import { button } from './head-template';
import { icon } from './icon';
import { isNarrowed, type ListState } from './list-template';
import type { Group } from './row';
import { groups, totalOf } from './view';

/** The entries that fit the filter. */
export function narrow(entries: readonly EntryView[], { desk: { filter }, telling }: ListState): readonly EntryView[] {
  return isNarrowed(filter) ? entries.filter((entry) => fits(entry, filter, telling.words)) : entries;
}

export function noMatch({ telling }: ListState): string {
  return fullWords(telling.words).text.noMatch;
}

/** Search, kind and what else narrows the list; shown once there is enough to look through. */
export function finderTemplate({ grouped, desk, telling, snapshot }: ListState): TemplateResult | typeof nothing {
  const { filter } = desk;
  const words = fullWords(telling.words);
  const entries = groups.flatMap((group) => grouped.get(group) ?? []);
  const routes = [...new Set(entries.map(({ route }) => route))];
  const closed = totalOf('closed', snapshot.counts);
  if (entries.length < 6 && closed === 0 && !isNarrowed(filter)) return nothing;
  const raisable = filter.route !== null && grouped.get('waiting')?.some(({ route }) => route === filter.route);
  return html`<div class="finder" part="finder" role="search">
    <label
      >${words.label.search}<input type="search" data-field="query" .value=${filter.query} autocomplete="off"
    /></label>
    ${
      routes.length > 1 || filter.route !== null
        ? html`<label
            >${words.label.route}
            <select data-field="route">
              <option value="" ?selected=${filter.route === null}>${words.label.allRoutes}</option>
              ${routes.map((route) => html`<option value=${route} ?selected=${filter.route === route}>${route}</option>`)}
            </select></label
          >`
        : nothing
    }
    ${
      raisable
        ? html`<label
            >${words.label.urgencyOfAll}
            <select data-field="urgencyOfAll">
              <option value="" selected>–</option>
              ${words.urgency.map((text, n) => html`<option value=${n}>${text}</option>`)}
            </select></label
          >`
        : nothing
    }
    ${
      closed > 0 || filter.group === 'closed'
        ? html`<button
            type="button"
            part="button"
            data-act="group"
            data-id="closed"
            aria-pressed=${filter.group === 'closed' ? 'true' : 'false'}
          >
            ${icon('closed')}<span>${words.group.closed} ${telling.format.number(closed)}</span>
          </button>`
        : nothing
    }
  </div>`;
}

/** A search looks through what has been read; this says how much that is, and reads on. */
export function searchedTemplate(
  shown: readonly Group[],
  { grouped, desk, snapshot, telling }: ListState,
): TemplateResult | typeof nothing {
  const words = fullWords(telling.words);
  const { format } = telling;
  const unread = shown.filter(
    (group) => (grouped.get(group)?.length ?? 0) < totalOf(group, snapshot.counts) && !desk.pages.get(group)?.done,
  );
  if (unread.length === 0) return nothing;
  const total = shown.reduce((sum, group) => sum + totalOf(group, snapshot.counts), 0);
  const read = shown.reduce((sum, group) => sum + (grouped.get(group)?.length ?? 0), 0);
  const loading = unread.some((group) => desk.pages.get(group)?.loading);
  return html`<div class="tail">
    <p class="muted">${fill(words.text.searched, { n: format.number(read), total: format.number(total) })}</p>
    ${button('more', loading ? words.text.loading : words.act.more, null, '', loading)}
  </div>`;
}

/** To see a group whole. */
export function allOfTemplate(group: Group, total: number, { telling: { words, format } }: ListState): TemplateResult {
  const text = format.plural(fullWords(words).count.shown, total);
  return html`<div class="tail">${button('group', text, null, 'quiet', false, group)}</div>`;
}

/** Acts on the selected dead letters. */
export function bulkTemplate(rows: readonly EntryView[], { desk, telling }: ListState): TemplateResult {
  const { act, count } = fullWords(telling.words);
  const { size } = desk.picked;
  if (size === 0) return html`<div class="bar">${button('pickAll', act.selectAll, null, 'quiet')}</div>`;
  return html`<div class="bar" part="bulk">
    <span class="muted">${telling.format.plural(count.selected, size)}</span>
    ${size < rows.length ? button('pickAll', act.selectAll, null, 'quiet') : nothing}
    ${button('pickNone', act.selectNone, null, 'quiet')} ${button('bulkReplay', act.replay)}
    ${button('bulkClaim', act.claim)} ${button('bulkClose', act.close, null, 'danger')}
    ${button('bulkExport', act.export)}
  </div>`;
}
