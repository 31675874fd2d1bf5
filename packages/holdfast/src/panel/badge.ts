import {
  css,
  html,
  LitElement,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import type { Outbox } from '../page/client';
import { feed } from './feed';
import { formatFor } from './format';
import { tokens } from './tokens.css';
import { tongue } from './tongue';
import type { WordsReplacement } from './words/words';

/**
 * `<outbox-badge>`: how many wait, or, in another colour and with a mark, how many need attention. It takes no room when
 * there is nothing to tell. Put it in a button or link of the app's own; it is text, not a control.
 */
export class OutboxBadge extends LitElement {
  static override properties: PropertyDeclarations = {
    outbox: { attribute: false },
    texts: { attribute: false },
    language: {},
  };
  static override styles = [
    tokens,
    css`
      :host {
        display: inline-block;
        vertical-align: middle;
      }
      .badge {
        display: inline-block;
        min-inline-size: 20px;
        padding: 0 6px;
        border-radius: 10px;
        font:
          600 12px/20px system-ui,
          sans-serif;
        font-variant-numeric: tabular-nums;
        text-align: center;
        background: var(--_accent);
        color: var(--_on-accent);
      }
      .badge.attention {
        background: var(--_danger);
        color: var(--_surface);
      }
      .hush {
        position: absolute;
        inline-size: 1px;
        block-size: 1px;
        overflow: hidden;
        clip-path: inset(50%);
        white-space: nowrap;
      }
    `,
  ];

  declare outbox: Outbox | null;
  /** @default {} */
  declare texts: WordsReplacement;
  /** @default '' (the page's) */
  declare language: string;

  readonly #feed = feed(this);
  readonly #tongue = tongue(this);

  constructor() {
    super();
    this.outbox = null;
    this.texts = {};
    this.language = '';
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('outbox')) this.#feed.follow(this.outbox);
    this.#tongue.speak(this.language, this.texts);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { words } = this.#tongue;
    const format = formatFor(words.language);
    const counts = this.#feed.snapshot?.counts;
    const waiting = counts ? counts.pending + counts.sending : 0;
    const open = counts?.open ?? 0;
    if (waiting + open === 0) return nothing;
    const texts = [
      ...(open > 0 ? [format.plural(words.badge.attention, open)] : []),
      ...(waiting > 0 ? [format.plural(words.badge.waiting, waiting)] : []),
    ];
    const shown = open > 0 ? `! ${format.number(open)}` : format.number(waiting);
    return html`<span
      class="badge ${open > 0 ? 'attention' : ''}"
      part="badge"
      lang=${words.language}
      dir=${words.direction}
      ><span aria-hidden="true">${shown}</span><span class="hush">${texts.join(', ')}</span></span
    >`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'outbox-badge': OutboxBadge;
  }
}
