import { virtualize } from '@lit-labs/virtualizer/virtualize.js';
import { html, type TemplateResult } from 'lit';
import type { EntryView } from '../core/snapshot';
import { groupOf } from './row';

/**
 * A list of any length, of which only the rows in view are in the document. Assistive technology is told the whole
 * length. The list scrolls by itself; its height is the custom property `--outbox-list-height`.
 *
 * @param total how many there are in the store; more may be read as the end comes near
 */
export function virtualList(
  rows: readonly EntryView[],
  total: number,
  draw: (entry: EntryView) => TemplateResult,
  near: () => void,
): TemplateResult {
  return html`<ul
    class="long"
    part="rows"
    role="list"
    tabindex="-1"
    @rangeChanged=${(event: Event & { readonly last: number }) => {
      if (event.last >= rows.length - 20) near();
    }}
  >
    ${virtualize({
      // The same array while nothing changed: a new one would be laid out anew with every tick of the clock.
      items: rows as EntryView[],
      scroller: true,
      keyFunction: ({ id }) => id,
      renderItem: (entry, n) =>
        html`<li
          class="row ${groupOf(entry)}"
          part="row"
          data-row=${entry.id}
          aria-setsize=${total}
          aria-posinset=${n + 1}
        >
          ${draw(entry)}
        </li>`,
    })}
  </ul>`;
}
