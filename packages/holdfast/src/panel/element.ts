import {
  adoptStyles,
  html,
  LitElement,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import type { EntryView, OutboxSnapshot } from '../core/snapshot';
import type { Outbox, OutboxEvent } from '../page/client';
import { systemClock, type PanelClock } from './clock';
import { controlStyles } from './controls.css';
import { clearDesk, errorText, say, type Desk, type DeskState } from './desk';
import type * as Details from './details';
import { feed } from './feed';
import { button, headTemplate, noticesTemplate, tilesTemplate } from './head-template';
import type { Focused } from './keep-focus';
import { listTemplate, plainRows, type ListState } from './list-template';
import { makeDesk } from './make-desk';
import { ownActs } from './own-acts';
import { panelStyles } from './panel.css';
import type { Progress } from './progress';
import type { Group, Telling } from './row';
import { rowStyles } from './rows.css';
import { tokens } from './tokens.css';
import { tongue } from './tongue';
import { arrange, panelView } from './view';
import type * as Virtual from './virtual-list';
import type { WordsReplacement } from './words/words';

const styles = [tokens, panelStyles, controlStyles, rowStyles];

/**
 * `<outbox-panel>`: what waits, what is being sent, what needs attention, what the server confirmed, and everything a
 * person can do about it. It draws the snapshots of the outbox it is handed and acts through its methods; it stores nothing.
 *
 * It needs nothing of a strict content security policy but `script-src 'self'`: styles are constructed sheets, pictures are
 * drawn on a canvas, and under `require-trusted-types-for 'script'` the one policy to allow is lit's (`trusted-types lit-html`).
 */
export class OutboxPanel extends LitElement {
  static override properties: PropertyDeclarations = {
    outbox: { attribute: false },
    texts: { attribute: false },
    language: {},
    assignee: {},
    signIn: { attribute: false },
  };
  static override styles = styles;

  /** The client of `openOutbox`. */
  declare outbox: Outbox | null;
  /** Texts in place of the panel's own. @default {} */
  declare texts: WordsReplacement;
  /** Language tag to speak; empty for the page's (`lang`). @default '' */
  declare language: string;
  /** Who takes dead letters on; empty to ask each time. @default '' */
  declare assignee: string;
  /** Called by the sign-in button, which is there only when this is set. @default null */
  declare signIn: (() => void) | null;
  /** Set before the element is put in a page. @default the system's */
  clock: PanelClock = systemClock;

  readonly #feed = feed(
    this,
    (snapshot) => this.#look(snapshot),
    (event) => this.#hear(event),
  );
  readonly #tongue = tongue(this);
  readonly #desk: Desk = makeDesk(
    this,
    () => this.#details?.fullWords(this.#tongue.words) ?? this.#tongue.words,
    () => this.#feed.snapshot,
    () => [...this.#grouped.values()].flat(),
  );
  #grouped: ReadonlyMap<Group, readonly EntryView[]> = new Map();
  /** What `#grouped` was made of. */
  #arranged: readonly [OutboxSnapshot | null, DeskState['pages'] | null] = [null, null];
  #last: OutboxSnapshot | null = null;
  #progress: Progress | null = null;
  #details: typeof Details | null = null;
  #virtual: typeof Virtual | null = null;
  #focused: Focused | null = null;
  #stopClock: (() => void)[] = [];

  constructor() {
    super();
    this.outbox = null;
    this.texts = {};
    this.language = '';
    this.assignee = '';
    this.signIn = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stopClock = [
      this.clock.every(1_000, () => document.hidden || this.requestUpdate()),
      this.clock.every(2_000, () => void this.#details?.reread(this.#desk)),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stopClock) stop();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('outbox')) {
      this.#last = null;
      this.#progress = null;
      this.#desk.set(clearDesk);
      this.#feed.follow(this.outbox);
    }
    this.#tongue.speak(this.language, this.texts);
    this.#focused = this.#details?.focusedIn(this.renderRoot as ShadowRoot) ?? null;
    const snapshot = this.#feed.snapshot;
    const { pages } = this.#desk.state;
    // Not with every tick of the clock: ten thousand entries take some milliseconds to arrange.
    if (snapshot && (snapshot !== this.#arranged[0] || pages !== this.#arranged[1])) {
      this.#arranged = [snapshot, pages];
      this.#grouped = arrange([...[...pages.values()].map((page) => page.entries), snapshot.entries]);
    }
  }

  #look(snapshot: OutboxSnapshot): void {
    const before = this.#last;
    this.#last = snapshot;
    if (!this.#details) return;
    this.#progress = this.#details.follow(this.#progress, snapshot);
    const { words, format } = this.#desk;
    const said = before ? this.#details.announcement(before, snapshot, words, format) : '';
    if (said) say(this.#desk, said);
  }

  /** Nothing else tells that a request could not be kept: a snapshot holds only what was. */
  #hear(event: OutboxEvent): void {
    if (event.type === 'error') this.#desk.set({ refused: event.code });
    else if (event.type === 'queued') this.#desk.set({ refused: null });
  }

  protected override render(): TemplateResult {
    const { words, state } = this.#desk;
    const snapshot = this.#feed.snapshot;
    return html`<div
      class="panel"
      part="panel"
      role="region"
      aria-labelledby="heading"
      lang=${words.language}
      dir=${words.direction}
      @click=${this.#onClick}
      @change=${this.#onChange}
      @input=${this.#onInput}
      @submit=${this.#onSubmit}
      @keydown=${(event: KeyboardEvent) => this.#details?.moveInList(this.renderRoot as ShadowRoot, event)}
    >
      ${
        snapshot
          ? this.#body(snapshot)
          : html`<h2 id="heading" class="hush">${words.heading}</h2>
              <div class="empty"><p>${words.notice.disconnected}</p></div>`
      }
      <p class="hush" role="status">${state.said}</p>
      <dialog part="dialog" aria-labelledby="question" @cancel=${() => this.#desk.set({ question: null })}>
        ${state.question ? this.#details?.dialogTemplate(state.question, words, this.#desk.format) : nothing}
      </dialog>
    </div>`;
  }

  #body(snapshot: OutboxSnapshot): TemplateResult {
    const { words, format, state } = this.#desk;
    const memory = snapshot.status.durability === 'memory';
    const telling: Telling = { words, format, now: this.clock.now(), memory };
    const view = panelView(snapshot, telling, state.refused);
    const { error, busy, filter } = state;
    const head = { snapshot, view, telling, group: filter.group, error, busy, canSignIn: this.signIn !== null };
    const list: ListState = {
      snapshot,
      grouped: this.#grouped,
      desk: state,
      telling,
      details: this.#details,
      long: this.#virtual && this.#drawLong,
    };
    return html`${headTemplate(head)}${noticesTemplate(head)}${this.#details?.progressTemplate(this.#progress, telling)}
      ${tilesTemplate(head)}${this.#details?.finderTemplate(list)}${listTemplate(list)}
      <div class="foot" part="footer" tabindex="-1">
        <div>
          ${memory ? nothing : html`<p>${words.notice.container}</p>`}
          ${view.limits.map((limit) => html`<p lang="en" dir="ltr">${limit}</p>`)}
        </div>
        ${snapshot.entries.length > 0 ? button('exportAll', words.act.export) : nothing}
      </div>`;
  }

  readonly #drawLong: ListState['long'] = (rows, total, draw) =>
    this.#virtual?.virtualList(rows, total, draw, () => this.#details?.loadMore(this.#desk)) ?? html``;

  protected override firstUpdated(): void {
    void this.#load();
  }

  protected override updated(): void {
    const dialog = this.renderRoot.querySelector('dialog');
    const { question, filter } = this.#desk.state;
    if (question && dialog && !dialog.open) dialog.showModal();
    if (!question && dialog?.open) dialog.close();
    if (this.#focused && !question) this.#details?.restoreFocus(this.renderRoot as ShadowRoot, this.#focused);
    const { group } = filter;
    if (group && (this.#grouped.get(group)?.length ?? 0) > plainRows && !this.#virtual) void this.#loadVirtual();
  }

  /** The parts behind a click come right after the first drawing. A part that cannot be fetched is asked for again by the next click. */
  async #load(): Promise<typeof Details | null> {
    if (this.#details) return this.#details;
    try {
      const details = await import('./details');
      adoptStyles(this.renderRoot as ShadowRoot, [...styles, details.detailStyles]);
      this.#details = details;
      if (this.#feed.snapshot) this.#look(this.#feed.snapshot);
      this.requestUpdate();
    } catch (error) {
      this.#desk.set({ error: errorText(error, this.#desk.words) });
    }
    return this.#details;
  }

  async #loadVirtual(): Promise<void> {
    try {
      this.#virtual ??= await import('./virtual-list');
      this.requestUpdate();
    } catch (error) {
      this.#desk.set({ error: errorText(error, this.#desk.words) });
    }
  }

  readonly #onClick = (event: Event): void => {
    const target = (event.target as Element).closest<HTMLElement>('[data-act]');
    if (!target) return;
    const { act = '', id = '', at = '0' } = target.dataset;
    const own = ownActs[act];
    if (own) void own(this.#desk, id, this);
    else void this.#load().then((details) => details?.acts[act]?.(this.#desk, id, Number(at)));
    // A group shown whole reads on at once; the act before has set the filter already.
    if (act === 'group') void this.#load().then((details) => details?.loadMore(this.#desk));
    if (act === 'skip') this.renderRoot.querySelector<HTMLElement>('.foot')?.focus();
  };

  readonly #onInput = (event: Event): void => this.#details?.fieldTyped(this.#desk, event.target as HTMLInputElement);

  readonly #onChange = (event: Event): void =>
    this.#details?.fieldChanged(this.#desk, event.target as HTMLInputElement);

  readonly #onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const button = (event.submitter as HTMLButtonElement | null)?.value ?? 'do';
    this.#details?.submitted(this.#desk, event.target as HTMLFormElement, button);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'outbox-panel': OutboxPanel;
  }
}
