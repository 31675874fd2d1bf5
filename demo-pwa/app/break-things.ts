import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { FaultMode, Faults, LedgerLine } from '../wire';
import { faultWords } from './fault-words';
import { icon } from './icon';
import { clockTime, counted } from './words';

const everyMs = 1_500;

/** The drawer that breaks the server on purpose, and shows what the server really did. */
export class BreakThings extends LitElement {
  static override properties: PropertyDeclarations = { open: { type: Boolean, reflect: true } };
  declare open: boolean;
  #faults: Faults | null = null;
  #ledger: readonly LedgerLine[] = [];
  #notice = '';
  #retryAfterSeconds = 5;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.open = false;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override updated(changed: Map<string, unknown>): void {
    if (!changed.has('open')) return;
    clearInterval(this.#timer);
    if (!this.open) return;
    void this.#look();
    this.#timer = setInterval(() => void this.#look(), everyMs);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.open) return nothing;
    const mode = this.#faults?.mode;
    return html`<aside class="breaking" aria-labelledby="breaking-title">
      <header>
        <h2 id="breaking-title">${icon('zap')}Break things</h2>
        <p>${faultWords.find((word) => word.mode === mode)?.what ?? this.#notice}</p>
        <button class="quiet round" aria-label="Close" @click=${this.#close}>${icon('close')}</button>
      </header>
      <div class="controls">
        <fieldset class="modes">
          <legend>The API</legend>
          ${faultWords.map(
            (word) =>
              html`<label title=${word.what}>
                <input
                  type="radio"
                  name="fault"
                  value=${word.mode}
                  .checked=${word.mode === mode}
                  @change=${() => void this.#set(word.mode)}
                />
                <span>${word.name}</span>
              </label>`,
          )}
        </fieldset>
        <div class="more">
          <label class="field"
            >Retry-After
            <select @change=${this.#choose}>
              ${[2, 5, 15, 60].map((seconds) => html`<option value=${seconds} ?selected=${seconds === this.#retryAfterSeconds}>${seconds} s</option>`)}
            </select>
          </label>
          <button @click=${() => void this.#act('POST', '/__colleague', 'A colleague changed the latest record.')}>
            A colleague edits the latest record
          </button>
          <button @click=${() => void this.#act('DELETE', '/__sessions', 'Every session has ended.')}>
            End all sessions
          </button>
          <button class="danger" @click=${() => void this.#act('POST', '/__reset', 'The server is empty again.')}>
            Empty the server
          </button>
        </div>
        <p class="said" role="status">${this.#notice}</p>
      </div>
      <div class="ledger">
        <h3>What the server really did <span>${counted(this.#ledger.length, 'effect')}</span></h3>
        <ol>
          ${this.#ledger
            .toReversed()
            .slice(0, 30)
            .map(
              (line) =>
                html`<li>
                  <b>${line.seq}</b><span class="effect">${line.effect.replace('-', ' ')}</span
                  ><span class="key" title="Idempotency key">${line.key ?? 'no key'}</span
                  ><time>${clockTime(line.at)}</time>
                </li>`,
            )}
        </ol>
        ${this.#ledger.length === 0 ? html`<p class="nothing">Nothing yet.</p>` : nothing}
      </div>
    </aside>`;
  }

  async #look(): Promise<void> {
    try {
      const [faults, ledger] = await Promise.all(
        ['/__faults', '/__ledger'].map(async (path): Promise<unknown> => {
          const answer = await fetch(path);
          if (!answer.ok) throw new Error(((await answer.json()) as { detail: string }).detail);
          return answer.json();
        }),
      );
      if (this.#faults === null) this.#retryAfterSeconds = (faults as Faults).retryAfterSeconds;
      this.#faults = faults as Faults;
      this.#ledger = ledger as LedgerLine[];
    } catch (error) {
      this.#faults = null;
      this.#notice =
        error instanceof TypeError ? 'The whole server is gone: start it again to break it.' : String(error);
    }
    this.requestUpdate();
  }

  async #set(mode: FaultMode): Promise<void> {
    const body = JSON.stringify({ mode, retryAfterSeconds: this.#retryAfterSeconds });
    await this.#act('PUT', '/__faults', '', body);
    // What waits need not wait for its turn once the way is free.
    if (mode === 'ok') this.dispatchEvent(new CustomEvent('healed'));
  }

  async #act(method: string, path: string, said: string, body?: string): Promise<void> {
    try {
      const answer = await fetch(path, { method, ...(body !== undefined && { body }) });
      this.#notice = answer.ok ? said : ((await answer.json()) as { detail: string }).detail;
    } catch {
      this.#notice = 'The server cannot be reached.';
    }
    this.dispatchEvent(new CustomEvent('acted'));
    await this.#look();
  }

  readonly #choose = (event: Event): void => {
    this.#retryAfterSeconds = Number((event.target as HTMLSelectElement).value);
    const mode = this.#faults?.mode;
    if (mode === '503' || mode === '429') void this.#set(mode);
  };

  readonly #close = (): void => {
    this.dispatchEvent(new CustomEvent('close-drawer'));
  };
}

customElements.define('break-things', BreakThings);
