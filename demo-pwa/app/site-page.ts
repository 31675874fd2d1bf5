import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { icon } from './icon';
import { noteCard, type NoteActs } from './note-card';
import type { RoundState } from './round-store';

/** One site: what to look at, and its records. */
export function sitePage(state: RoundState, siteId: string, acts: NoteActs & { add(): void }): TemplateResult {
  const site = state.sites.find(({ id }) => id === siteId);
  if (!site) {
    return html`<section class="site">
      <p class="nothing">This site is not on the round. <a href="#/">All sites</a></p>
    </section>`;
  }
  const notes = state.notes.filter((note) => note.siteId === siteId);
  return html`<section class="site" aria-labelledby="site-title">
    <header>
      <a class="button quiet round back" href="#/" aria-label="All sites">${icon('back')}</a>
      <div>
        <h1 id="site-title">${site.name}</h1>
        <p>${site.place}</p>
      </div>
      <button class="primary add" ?disabled=${!state.user} @click=${() => acts.add()}>${icon('add')}New record</button>
    </header>
    <p class="check"><b>Look at</b> ${site.check}</p>
    ${
      notes.length === 0
        ? html`<div class="nothing">
            <p>Nothing recorded here yet.</p>
            <p>A record is kept on this device at once, and sent as soon as the server answers.</p>
          </div>`
        : html`<ol class="notes">
            ${repeat(
              notes,
              ({ id }) => id,
              (note) => noteCard(note, state.users, acts),
            )}
          </ol>`
    }
  </section>`;
}
