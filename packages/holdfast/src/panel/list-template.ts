import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { EntryView, OutboxSnapshot } from '../core/snapshot';
import type { DeskState } from './desk';
import type * as Details from './details';
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
  /** Null while that module is on its way. */
  readonly details: typeof Details | null;
  /** Draws a long list by the rows in view only; null while that module is on its way. */
  readonly long: ((rows: readonly EntryView[], total: number, draw: DrawRow) => TemplateResult) | null;
}

export type DrawRow = (entry: EntryView) => TemplateResult;

/** Rows drawn one by one; longer lists are virtualised. */
export const plainRows = 100;
/** Rows a group shows while all groups are shown. */
const shortRows = 50;

export function isNarrowed({ query, route }: DeskState['filter']): boolean {
  return query !== '' || route !== null;
}

export function listTemplate(state: ListState): TemplateResult {
  const { grouped, desk, telling, snapshot, details } = state;
  const { filter, pages } = desk;
  const { words } = telling;
  const shown: readonly Group[] = filter.group === null ? groups : [filter.group];
  const narrowed = isNarrowed(filter);
  const sections = shown
    .map((group) => ({ group, rows: details?.narrow(grouped.get(group) ?? [], state) ?? grouped.get(group) ?? [] }))
    .filter(({ rows }) => rows.length > 0);
  const loading = !snapshot.ready || shown.some((group) => pages.get(group)?.loading);
  const empty = narrowed ? details?.noMatch(state) : filter.group ? words.text.emptyGroup : words.text.emptyList;
  return html`${
    sections.length > 0
      ? html`<button type="button" class="skip" data-act="skip">${words.act.skip}</button>`
      : html`<div class="empty" part="empty">
          <p>${loading ? words.text.loading : empty}</p>
          ${narrowed || filter.group ? button('everything', words.act.showAll) : nothing}
        </div>`
  }
  ${repeat(
    sections,
    ({ group }) => group,
    ({ group, rows }) => sectionTemplate(group, rows, state),
  )}
  ${narrowed ? details?.searchedTemplate(shown, state) : nothing}`;
}

function sectionTemplate(group: Group, rows: readonly EntryView[], state: ListState): TemplateResult {
  const { desk, telling, snapshot, long, details } = state;
  const { words, format } = telling;
  const total = isNarrowed(desk.filter) ? rows.length : Math.max(rows.length, totalOf(group, snapshot.counts));
  const alone = desk.filter.group === group;
  const listed = rows.slice(0, alone ? plainRows : shortRows);
  const draw: DrawRow = (entry) => rowTemplate(entry, state);
  return html`<section class="group" part="group" aria-labelledby="group-${group}">
    <div class="head">
      <h3 id="group-${group}" tabindex="-1">${words.group[group]} <span>${format.number(total)}</span></h3>
      ${group === 'attention' ? details?.bulkTemplate(rows, state) : nothing}
    </div>
    ${
      alone && long && rows.length > plainRows
        ? long(rows, total, draw)
        : html`<ul part="rows" role="list">
            ${repeat(
              listed,
              ({ id }) => id,
              (entry) => html`<li class="row ${group}" part="row" data-row=${entry.id}>${draw(entry)}</li>`,
            )}
          </ul>`
    }
    ${!alone && total > listed.length ? details?.allOfTemplate(group, total, state) : nothing}
  </section>`;
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
      ${icon(group)}<span class="title" part="title"><bdi>${entry.title}</bdi></span>
      <span class="line"><span class="state" part="state">${state}</span>${why ? html` · ${why}` : nothing}</span>
      <span class="line facts">${facts.join(' · ')}</span>${icon('chevron')}</button
    >${
      open
        ? (details?.detailsTemplate(entry, desk, telling) ?? html`<p class="more muted">${words.text.loading}</p>`)
        : nothing
    }`;
}
