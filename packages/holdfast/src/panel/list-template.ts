import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { EntryView, OutboxSnapshot } from '../core/snapshot';
import type { DeskState } from './desk';
import { fits } from './filter';
import { fill } from './format';
import { button } from './head-template';
import { icon } from './icon';
import { rowOf, type Group, type Telling } from './row';
import { groups, totalOf } from './view';

/** What the list is drawn from. */
export interface ListState {
  readonly snapshot: OutboxSnapshot;
  readonly grouped: ReadonlyMap<Group, readonly EntryView[]>;
  readonly desk: DeskState;
  readonly telling: Telling;
  /** What unfolds under a row; null while that module is on its way. */
  readonly details: ((entry: EntryView, desk: DeskState, telling: Telling) => TemplateResult) | null;
  /** Draws a long list by the rows in view only; null while that module is on its way. */
  readonly virtual:
    ((rows: readonly EntryView[], total: number, draw: (entry: EntryView) => TemplateResult) => TemplateResult) | null;
}

/** Rows drawn one by one; longer lists are virtualised. */
export const plainRows = 100;
/** Rows a group shows while all groups are shown. */
const shortRows = 50;

/** Search, kind and what else narrows the list; shown once there is enough to look through. */
export function finderTemplate({
  grouped,
  desk: { filter },
  telling,
  snapshot: { counts },
}: ListState): TemplateResult | typeof nothing {
  const { words, format } = telling;
  const entries = groups.flatMap((group) => grouped.get(group) ?? []);
  const routes = [...new Set(entries.map(({ route }) => route))];
  const narrowed = filter.query !== '' || filter.route !== null || filter.group === 'closed';
  const closed = totalOf('closed', counts);
  if (entries.length < 6 && closed === 0 && !narrowed) return nothing;
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
      filter.route !== null && grouped.get('waiting')?.some(({ route }) => route === filter.route)
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
      closed > 0
        ? html`<button
            type="button"
            part="button"
            data-act="group"
            data-id="closed"
            aria-pressed=${filter.group === 'closed' ? 'true' : 'false'}
          >
            ${icon('closed')}${words.group.closed} ${format.number(closed)}
          </button>`
        : nothing
    }
  </div>`;
}

export function listTemplate(state: ListState): TemplateResult {
  const { grouped, desk, telling, snapshot } = state;
  const { filter, pages } = desk;
  const shown: readonly Group[] = filter.group === null ? groups : [filter.group];
  const sections = shown
    .map((group) => ({ group, rows: (grouped.get(group) ?? []).filter((entry) => fits(entry, filter, telling.words)) }))
    .filter(({ rows }) => rows.length > 0);
  const searching = filter.query !== '' || filter.route !== null;
  const loading = shown.some((group) => pages.get(group)?.loading);
  if (sections.length === 0 && !searching && loading) return emptyTemplate(telling.words.text.loading);
  return html`${
    sections.length > 0
      ? html`<button type="button" class="skip" data-act="skip">${telling.words.act.skip}</button>`
      : emptyTemplate(emptyText(state), filter.group !== null || searching ? telling.words.act.showAll : '')
  }
  ${repeat(
    sections,
    ({ group }) => group,
    ({ group, rows }) => sectionTemplate(group, rows, state),
  )}
  ${searching && snapshot.ready ? searchedTemplate(shown, state) : nothing}`;
}

function emptyText({ desk: { filter }, snapshot, telling: { words } }: ListState): string {
  if (filter.query !== '' || filter.route !== null) return words.text.noMatch;
  if (filter.group !== null) return words.text.emptyGroup;
  return snapshot.ready ? words.now.empty : words.now.looking;
}

function emptyTemplate(text: string, showAll = ''): TemplateResult {
  return html`<div class="empty" part="empty">
    <p>${text}</p>
    ${showAll ? button('everything', showAll) : nothing}
  </div>`;
}

/** A search looks through what has been read; this says how much that is, and reads on. */
function searchedTemplate(
  shown: readonly Group[],
  { grouped, desk, snapshot, telling }: ListState,
): TemplateResult | typeof nothing {
  const { words, format } = telling;
  const sum = (ns: readonly number[]): number => ns.reduce((a, b) => a + b, 0);
  const total = sum(shown.map((group) => totalOf(group, snapshot.counts)));
  const read = sum(shown.map((group) => grouped.get(group)?.length ?? 0));
  const loading = shown.some((group) => desk.pages.get(group)?.loading);
  if (read >= total || shown.every((group) => desk.pages.get(group)?.done)) return nothing;
  return html`<div class="tail">
    <p class="muted">${fill(words.text.searched, { n: format.number(read), total: format.number(total) })}</p>
    ${button('more', loading ? words.text.loading : words.act.more, null, '', loading)}
  </div>`;
}

function sectionTemplate(group: Group, rows: readonly EntryView[], state: ListState): TemplateResult {
  const { desk, telling, snapshot, virtual } = state;
  const { words, format } = telling;
  const total = Math.max(rows.length, totalOf(group, snapshot.counts));
  const searching = desk.filter.query !== '' || desk.filter.route !== null;
  const alone = desk.filter.group === group;
  const listed = alone ? (virtual ? rows : rows.slice(0, plainRows)) : rows.slice(0, shortRows);
  const known = searching ? rows.length : total;
  return html`<section class="group" part="group" aria-labelledby="group-${group}">
    <div class="head">
      <h3 id="group-${group}" tabindex="-1">${words.group[group]} <span>${format.number(known)}</span></h3>
      ${group === 'attention' ? bulkTemplate(rows, state) : nothing}
    </div>
    ${
      alone && virtual && listed.length > plainRows
        ? virtual(listed, known, (entry) => rowTemplate(entry, state))
        : html`<ul part="rows" role="list">
            ${repeat(
              listed,
              ({ id }) => id,
              (entry) =>
                html`<li class="row ${group}" part="row" data-row=${entry.id}>${rowTemplate(entry, state)}</li>`,
            )}
          </ul>`
    }
    ${
      !alone && known > listed.length
        ? html`<div class="tail">
            ${button('group', format.plural(words.count.shown, known), null, '', false, group)}
          </div>`
        : nothing
    }
  </section>`;
}

function bulkTemplate(rows: readonly EntryView[], { desk, telling: { words, format } }: ListState): TemplateResult {
  const { size } = desk.picked;
  if (size === 0) return html`<div class="bar">${button('pickAll', words.act.selectAll, null, 'quiet')}</div>`;
  return html`<div class="bar" part="bulk">
    <span class="muted">${format.plural(words.count.selected, size)}</span>
    ${size < rows.length ? button('pickAll', words.act.selectAll, null, 'quiet') : nothing}
    ${button('pickNone', words.act.selectNone, null, 'quiet')} ${button('bulkReplay', words.act.replay)}
    ${button('bulkClaim', words.act.claim)} ${button('bulkClose', words.act.close, null, 'danger')}
    ${button('bulkExport', words.act.export)}
  </div>`;
}

/** One entry: a line that unfolds. The title is the app's text, in whatever direction it runs. */
function rowTemplate(entry: EntryView, { desk, telling, details }: ListState): TemplateResult {
  const { group, state, why, facts } = rowOf(entry, telling);
  const { words } = telling;
  const open = desk.expanded.has(entry.id);
  return html`${
      group === 'attention'
        ? html`<label class="pick"
            ><input
              type="checkbox"
              data-field="pick"
              data-id=${entry.id}
              .checked=${desk.picked.has(entry.id)}
              aria-label=${fill(words.act.select, { title: entry.title })}
          /></label>`
        : nothing
    }<button
      type="button"
      class="fold"
      part="row-button"
      data-act="fold"
      data-id=${entry.id}
      aria-expanded=${open ? 'true' : 'false'}
    >
      ${icon(group)}<span class="title" part="title"><bdi>${entry.title}</bdi></span
      >${icon('chevron')}
      <span class="lines"
        ><span class="state" part="state">${state}</span>${why ? html`<span>${why}</span>` : nothing}</span
      >
      <span class="lines">${facts.map((fact) => html`<span>${fact}</span>`)}</span></button
    >${open ? (details?.(entry, desk, telling) ?? html`<p class="more muted">${words.text.loading}</p>`) : nothing}`;
}
