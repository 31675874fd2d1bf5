import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { NoteDraft, User } from '../wire';
import { icon } from './icon';
import type { Conflict, NoteView, PhotoView } from './round';
import { moment, ratingWord, stageChip, stageWord } from './words';

/** What a person can do with a record. */
export interface NoteActs {
  edit(note: NoteView): void;
  remove(note: NoteView): void;
  keepMine(note: NoteView): void;
  takeTheirs(note: NoteView): void;
  openOutbox(): void;
}

export function noteCard(note: NoteView, users: readonly User[], acts: NoteActs): TemplateResult {
  const { stage, leaving } = note;
  return html`<li>
    <article
      class="note ${stage} ${leaving ? 'leaving' : ''}"
      data-note=${note.id}
      aria-label="Record of ${moment(note.createdAt)}"
    >
      <header>
        <span class="grade r${note.rating}">${note.rating}</span>
        <div>
          <b>${ratingWord(note.rating)}</b>
          <span class="by">${moment(note.createdAt)} · ${byWhom(note, users)}</span>
        </div>
        ${stageChip(stage)}
      </header>
      ${note.text ? html`<p class="text">${note.text}</p>` : nothing}
      ${
        note.photos.length > 0
          ? html`<div class="photos">
              ${repeat(
                note.photos,
                ({ id }) => id,
                (photo) => figure(photo),
              )}
            </div>`
          : nothing
      }
      ${note.conflict ? conflict(note, note.conflict, users, acts) : nothing}
      ${note.trouble ? trouble(note, acts) : nothing} ${foot(note, acts)}
    </article>
  </li>`;
}

function foot(note: NoteView, acts: NoteActs): TemplateResult | typeof nothing {
  if (note.leaving) {
    return html`<p class="hint">
      ${icon('remove')}Deleted on this device. It goes from the server when this is confirmed.
    </p>`;
  }
  // First the conflict: another change on top of it would meet it too.
  if (note.conflict) return nothing;
  return html`<footer>
    <button class="quiet" @click=${() => acts.edit(note)}>${icon('edit')}Edit</button>
    <button class="quiet danger" @click=${() => acts.remove(note)}>${icon('remove')}Delete</button>
  </footer>`;
}

function byWhom({ author, updatedBy }: NoteView, users: readonly User[]): string {
  const made = author === null ? 'you' : nameOf(author, users);
  return updatedBy !== null && updatedBy !== author
    ? `${made}, changed by ${nameOf(updatedBy, users).replace('A colleague', 'a colleague')}`
    : made;
}

function nameOf(id: string, users: readonly User[]): string {
  return users.find((user) => user.id === id)?.name ?? (id === 'colleague' ? 'A colleague' : id);
}

function figure({ url, stage, leaving }: PhotoView): TemplateResult {
  const word = leaving ? 'Removal waits' : stageWord(stage);
  return html`<figure class="${stage} ${leaving ? 'leaving' : ''}">
    ${
      url === null
        ? html`<span class="lost">${icon('photos')}</span>`
        : html`<a href=${url} target="_blank" rel="noopener"><img src=${url} alt="Photo, ${word}" loading="lazy" /></a>`
    }
    ${
      stage === 'confirmed' && !leaving
        ? nothing
        : html`<figcaption title=${word}>
            ${icon(stage === 'sending' ? 'up' : stage === 'attention' ? 'attention' : 'device')}
          </figcaption>`
    }
  </figure>`;
}

function conflict(note: NoteView, { mine, theirs }: Conflict, users: readonly User[], acts: NoteActs): TemplateResult {
  const who = theirs ? nameOf(theirs.updatedBy, users) : 'Somebody';
  return html`<div class="conflict" role="group" aria-label="Conflict">
    <p>
      ${icon('attention')}<b
        >${theirs ? `${who} changed this record` : 'This record was deleted'} while you were away.</b
      >
    </p>
    <div class="sides">${side('Yours', mine)} ${theirs ? side('On the server', theirs) : nothing}</div>
    <div class="choice">
      <button class="primary" @click=${() => acts.keepMine(note)}>Keep mine</button>
      <button @click=${() => acts.takeTheirs(note)}>${theirs ? 'Keep theirs' : 'Leave it deleted'}</button>
    </div>
  </div>`;
}

function side(whose: string, draft: Pick<NoteDraft, 'rating' | 'text'> | null): TemplateResult {
  return html`<div>
    <span class="eyebrow">${whose}</span>
    ${
      draft
        ? html`<p><span class="grade small r${draft.rating}">${draft.rating}</span> ${draft.text || 'No text'}</p>`
        : html`<p>A deletion</p>`
    }
  </div>`;
}

function trouble({ trouble: entry }: NoteView, acts: NoteActs): TemplateResult {
  return html`<div class="conflict">
    <p>${icon('attention')}<b>${entry?.title}</b> could not be delivered: ${entry?.dead?.message}</p>
    <div class="choice"><button @click=${() => acts.openOutbox()}>${icon('tray')}Look at it in the outbox</button></div>
  </div>`;
}
