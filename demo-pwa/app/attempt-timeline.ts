import type { OutboxSnapshot } from 'holdfast';
import type { Outbox } from 'holdfast/page';
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { trainsOf, type Beat, type Train } from './attempts';
import { clockTime, fromNow, span } from './words';

/** How many requests are shown. */
const most = 25;

const waits: Record<string, string> = {
  'due-now': 'now',
  'due-later': 'next try',
  'not-before': 'not before',
  'behind-lane': 'behind an earlier one',
  'waits-for': 'needs another',
  'clock-in-doubt': 'clock in doubt',
  paused: 'paused',
  maintenance: 'maintenance',
  metered: 'waits for a cheaper connection',
  'origin-paused': 'server asked to wait',
  'breaker-open': 'server is left alone',
  offline: 'offline',
  'sign-in': 'waits for sign-in',
  'other-subject': 'somebody else’s',
};

/** Every request's attempts, live: what came back, how long it took, how long was waited, and what comes next. */
export class AttemptTimeline extends LitElement {
  static override properties: PropertyDeclarations = { outbox: { attribute: false } };
  declare outbox: Outbox | null;
  #snapshot: OutboxSnapshot | null = null;
  #unsubscribe: (() => void) | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.outbox = null;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('outbox')) return;
    this.#unsubscribe?.();
    this.#unsubscribe = this.outbox?.subscribe((snapshot) => {
      this.#snapshot = snapshot;
      this.requestUpdate();
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timer = setInterval(() => {
      if (!document.hidden && this.#snapshot?.counts.pending) this.requestUpdate();
    }, 1_000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
    this.#unsubscribe?.();
  }

  protected override render(): TemplateResult {
    const trains = trainsOf(this.#snapshot?.entries ?? []).slice(0, most);
    if (trains.length === 0) {
      return html`<p class="nothing">
        Every attempt to reach the server shows up here: what came back, and when it is tried again.
      </p>`;
    }
    const now = Date.now();
    return html`<ol class="trains">
      ${repeat(
        trains,
        ({ entry }) => entry.id,
        (train) => this.#train(train, now),
      )}
    </ol>`;
  }

  #train({ entry, beats }: Train, now: number): TemplateResult {
    return html`<li>
      <p class="head"><b>${entry.title}</b><time>${clockTime(entry.createdAt)}</time></p>
      <ol class="beats">
        ${beats.map(
          (beat) =>
            html`${
                beat.gapMs === null || beat.gapMs < 50 || beat.kind === 'next'
                  ? nothing
                  : html`<li class="gap"><span class="hush">waited</span> ${span(beat.gapMs)}</li>`
              }
              <li class="beat ${beat.kind} ${beat.counted ? 'counted' : ''}" title=${beat.detail}>
                ${text(beat, now)}
              </li>`,
        )}
      </ol>
    </li>`;
  }
}

function text(beat: Beat, now: number): TemplateResult {
  if (beat.kind === 'next') {
    const when = beat.at > now ? ` · ${fromNow(beat.at, now)}` : '';
    return html`${waits[beat.label] ?? beat.label}${when}`;
  }
  return html`${beat.label}${beat.tookMs === null ? nothing : html` <small>${span(beat.tookMs)}</small>`}`;
}

customElements.define('attempt-timeline', AttemptTimeline);
