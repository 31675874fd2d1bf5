import { html, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { NoteChange } from './changes';
import { icon } from './icon';
import type { NoteView, PhotoView } from './round';
import type { SiteView } from './site-views';
import { ratings } from './words';

/** A photo picked and not saved yet. */
interface Picked {
  readonly file: File;
  readonly url: string;
}

/** The form of one record. It keeps what is typed until `save` resolves; `event.detail` is a `NoteChange`. */
export class NoteForm extends LitElement {
  static override properties: PropertyDeclarations = {
    site: { attribute: false },
    record: { attribute: false },
    problem: { attribute: false },
  };
  declare site: SiteView;
  /** Null: a new record. */
  declare record: NoteView | null;
  /** Why it could not be saved. @default '' */
  declare problem: string;
  #picked: readonly Picked[] = [];
  #removed: ReadonlySet<string> = new Set();

  constructor() {
    super();
    this.record = null;
    this.problem = '';
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const { url } of this.#picked) URL.revokeObjectURL(url);
  }

  protected override render(): TemplateResult {
    const { record: before, site } = this;
    return html`<form class="note-form" @submit=${this.#submit}>
      <header>
        <h2 id="form-title">${before ? 'Edit record' : 'New record'}</h2>
        <p>${site.name}</p>
        <button type="button" class="quiet round" aria-label="Close" @click=${this.#cancel}>${icon('close')}</button>
      </header>
      <div class="fields">
        <fieldset class="ratings">
          <legend>Condition</legend>
          ${ratings.map(
            (word, index) =>
              html`<label class="rating r${index + 1}">
                <input
                  type="radio"
                  name="rating"
                  value=${index + 1}
                  required
                  .checked=${before?.rating === index + 1}
                />
                <span><b>${index + 1}</b>${word}</span>
              </label>`,
          )}
        </fieldset>
        <label class="text">
          <span>What did you see?</span>
          <textarea
            name="text"
            rows="4"
            maxlength="10000"
            placeholder=${site.check}
            .value=${before?.text ?? ''}
          ></textarea>
        </label>
        <fieldset class="pictures">
          <legend>Photos</legend>
          <div class="photos">
            ${(before?.photos ?? []).filter(({ leaving }) => !leaving).map((photo) => this.#kept(photo))}
            ${repeat(
              this.#picked,
              ({ url }) => url,
              (picked) => this.#new(picked),
            )}
            <label class="pick">
              ${icon('camera')}<span>Take photo</span>
              <input type="file" accept="image/*" capture="environment" @change=${this.#pick} />
            </label>
            <label class="pick">
              ${icon('photos')}<span>Add photos</span>
              <input type="file" name="photos" accept="image/*" multiple @change=${this.#pick} />
            </label>
          </div>
        </fieldset>
        ${this.problem ? html`<p class="problem" role="alert">${icon('attention')}${this.problem}</p>` : ''}
      </div>
      <footer>
        <button type="button" @click=${this.#cancel}>Cancel</button>
        <button type="submit" class="primary">${icon('check')}${before ? 'Save changes' : 'Save record'}</button>
      </footer>
    </form>`;
  }

  #kept(photo: PhotoView): TemplateResult {
    const removed = this.#removed.has(photo.id);
    return html`<figure class=${removed ? 'leaving' : ''}>
      ${photo.url ? html`<img src=${photo.url} alt="" />` : icon('photos')}
      <button
        type="button"
        class="over"
        aria-label=${removed ? 'Keep this photo' : 'Remove this photo'}
        @click=${() => this.#toggle(photo.id)}
      >
        ${icon(removed ? 'undo' : 'close')}
      </button>
    </figure>`;
  }

  #new(picked: Picked): TemplateResult {
    return html`<figure>
      <img src=${picked.url} alt=${picked.file.name} />
      <button type="button" class="over" aria-label="Leave out ${picked.file.name}" @click=${() => this.#drop(picked)}>
        ${icon('close')}
      </button>
    </figure>`;
  }

  readonly #pick = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const picked = [...(input.files ?? [])].map((file) => ({ file, url: URL.createObjectURL(file) }));
    this.#picked = [...this.#picked, ...picked];
    input.value = '';
    this.requestUpdate();
  };

  #drop(picked: Picked): void {
    URL.revokeObjectURL(picked.url);
    this.#picked = this.#picked.filter((other) => other !== picked);
    this.requestUpdate();
  }

  #toggle(id: string): void {
    const removed = new Set(this.#removed);
    if (!removed.delete(id)) removed.add(id);
    this.#removed = removed;
    this.requestUpdate();
  }

  readonly #cancel = (): void => {
    this.dispatchEvent(new CustomEvent('cancel-form'));
  };

  readonly #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const fields = new FormData(event.target as HTMLFormElement);
    const detail: NoteChange = {
      draft: {
        siteId: this.site.id,
        text: (fields.get('text') as string).trim(),
        rating: Number(fields.get('rating')),
        createdAt: this.record?.createdAt ?? Date.now(),
      },
      before: this.record,
      newPhotos: this.#picked.map(({ file }) => file),
      removedPhotos: [...this.#removed],
    };
    this.dispatchEvent(new CustomEvent('save-form', { detail }));
  };
}

customElements.define('note-form', NoteForm);
