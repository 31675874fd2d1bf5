import type { Jitter } from 'holdfast';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { span } from '../words';
import { arrivalsPlot } from './plot';
import type { Answer, OutageName, Question } from './question';
import Runner from './run.worker?worker';

const outageWords: Record<OutageName, string> = {
  restart: '502 for a minute',
  overload: '503 for five minutes',
  reconnect: 'No network for five minutes',
};
const jitters: Readonly<Record<string, Jitter>> = {
  'Equal (the default)': 'equal',
  Full: 'full',
  Decorrelated: 'decorrelated',
  '± 20 %': { ratio: 0.2 },
  '+ 500 ms': { addMs: 500 },
  None: 'none',
};
/** How many policies one question is about. */
const rows = 3;

/** What many copies of this app would do to a server that comes back, by the retry policy they have. */
export class PolicySimulator extends LitElement {
  #question: Question = { id: 0, outage: 'restart', clients: 500, jitter: 'equal' };
  #answers: readonly Answer[] = [];
  #failed = false;
  #runner: Worker | undefined;
  readonly #sized = new ResizeObserver(() => this.#draw());

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override firstUpdated(): void {
    this.#ask({});
    const figure = this.querySelector('figure');
    if (figure) this.#sized.observe(figure);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#runner?.terminate();
    this.#sized.disconnect();
  }

  /** A new question ends the run for the one before. */
  #ask(change: Partial<Question>): void {
    this.#runner?.terminate();
    this.#question = { ...this.#question, ...change, id: this.#question.id + 1 };
    this.#answers = [];
    this.#failed = false;
    const runner = new Runner();
    runner.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (data.id !== this.#question.id) return;
      this.#answers = [...this.#answers, data];
      this.requestUpdate();
    };
    runner.onerror = () => {
      this.#failed = true;
      this.requestUpdate();
    };
    runner.postMessage(this.#question);
    this.#runner = runner;
    this.requestUpdate();
  }

  protected override updated(): void {
    this.#draw();
  }

  #draw(): void {
    const figure = this.querySelector('figure');
    if (!figure || figure.clientWidth === 0) return;
    figure.replaceChildren(...(this.#answers.length > 0 ? [arrivalsPlot(this.#answers, figure.clientWidth)] : []));
  }

  protected override render(): TemplateResult {
    const { outage, clients, jitter } = this.#question;
    const busy = this.#answers.length < rows && !this.#failed;
    return html`<p class="lead">
        What if ${clients} phones with this app lost the server at the same moment? Requests a second at the server, by
        retry policy. Red ground: it is down. Dashed line: what it can do.
      </p>
      <form>
        <label
          >Outage
          <select @change=${(event: Event) => this.#ask({ outage: valueOf(event) as OutageName })}>
            ${Object.entries(outageWords).map(
              ([name, words]) => html`<option value=${name} ?selected=${name === outage}>${words}</option>`,
            )}
          </select></label
        >
        <label
          >Jitter of the outbox
          <select @change=${(event: Event) => this.#ask({ jitter: jitters[valueOf(event)] ?? 'equal' })}>
            ${Object.entries(jitters).map(
              ([name, kind]) => html`<option value=${name} ?selected=${kind === jitter}>${name}</option>`,
            )}
          </select></label
        >
        <label
          >Phones
          <select @change=${(event: Event) => this.#ask({ clients: Number(valueOf(event)) })}>
            ${[100, 500, 1_000].map((n) => html`<option value=${n} ?selected=${n === clients}>${n}</option>`)}
          </select></label
        >
      </form>
      <figure role="img" aria-label="Requests a second at the server. The figures are in the table below."></figure>
      <p class="state" role="status">
        ${this.#failed ? 'It could not be simulated here.' : busy ? `Simulating: ${this.#answers.length} of ${rows}…` : nothing}
      </p>
      ${this.#answers.length > 0 ? table(this.#answers) : nothing}`;
  }
}

function table(answers: readonly Answer[]): TemplateResult {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Policy</th>
        <th scope="col">Peak</th>
        <th scope="col">Wasted</th>
        <th scope="col">19 of 20 done</th>
        <th scope="col">Given up</th>
      </tr>
    </thead>
    <tbody>
      ${answers.map(
        ({ policy, own, figures: { peak, wasted, drainMs, deadShare } }) =>
          html`<tr class=${own ? 'own' : ''}>
            <th scope="row">${policy}</th>
            <td>${peak}/s</td>
            <td>${wasted.toLocaleString('en')}</td>
            <td>${drainMs === null ? 'never' : span(drainMs)}</td>
            <td>${Math.round(deadShare * 100)} %</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function valueOf(event: Event): string {
  return (event.target as HTMLSelectElement).value;
}

customElements.define('policy-simulator', PolicySimulator);

declare global {
  interface HTMLElementTagNameMap {
    'policy-simulator': PolicySimulator;
  }
}
