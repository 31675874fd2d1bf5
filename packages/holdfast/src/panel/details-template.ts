import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import type { EntryView } from '../core/snapshot';
import type { DeskState, Shown } from './desk';
import { fill } from './format';
import { fullWords } from './full-words';
import { draw } from './preview';
import { actsOf, type RowAct, type Telling as FirstTelling } from './row';
import type { Words } from './words/words';

type Telling = FirstTelling & { readonly words: Words };

/** What unfolds under a row: facts, attempts, content on demand, and the acts. */
export function detailsTemplate(entry: EntryView, { shown }: DeskState, first: FirstTelling): TemplateResult {
  const words = fullWords(first.words);
  const telling = { ...first, words };
  const mayHaveArrived = entry.state === 'pending' && entry.outcome !== 'never-sent';
  return html`<div class="more" part="details">
    ${factsTemplate(entry, telling)} ${triesTemplate(entry, telling)}
    ${contentTemplate(shown.get(entry.id), entry.title, telling)}
    ${mayHaveArrived ? html`<p class="muted">${words.text.keptAnyway}</p>` : nothing}
    <div class="bar">${actsOf(entry).map((act) => actTemplate(act, entry, shown.has(entry.id), telling))}</div>
  </div>`;
}

function actTemplate(act: RowAct, entry: EntryView, open: boolean, { words }: Telling): TemplateResult {
  if (act === 'urgency') {
    return html`<label class="beside"
      ><span>${words.label.urgency}</span>
      <select data-field="urgency" data-id=${entry.id}>
        ${words.urgency.map((text, n) => html`<option value=${n} ?selected=${n === entry.priority}>${text}</option>`)}
      </select></label
    >`;
  }
  const kind = act === 'cancel' || act === 'close' ? 'danger' : act === 'replay' ? 'primary' : '';
  const text = act === 'content' && open ? words.act.hideContent : words.act[act];
  return html`<button type="button" class=${kind} part="button" data-act=${act} data-id=${entry.id}>${text}</button>`;
}

function factsTemplate(entry: EntryView, { words, format, now }: Telling): TemplateResult {
  const { label } = words;
  const time = (at: number): TemplateResult =>
    html`<time datetime=${new Date(at).toISOString()}>${format.clock(at, now)}</time> (${format.relative(at, now)})`;
  const fact = (name: string, value: unknown, present: unknown = true): TemplateResult | typeof nothing =>
    present
      ? html`<dt>${name}</dt>
          <dd>${value}</dd>`
      : nothing;
  const { dead, why, expiresAt, finishedAt } = entry;
  return html`<dl part="facts">
    ${dead ? fact(label.message, html`<bdi lang="en">${dead.message}</bdi>`) : nothing}
    ${why?.detail ? fact(label.message, html`<bdi>${why.detail}</bdi>`) : nothing}
    ${dead?.assignee ? fact(label.assignee, html`<bdi>${dead.assignee}</bdi>`) : nothing}
    ${fact(label.request, html`<bdi class="mono" dir="ltr">${entry.method} ${entry.url}</bdi>`)}
    ${fact(label.created, time(entry.createdAt))}
    ${finishedAt === undefined ? nothing : fact(label.finished, time(finishedAt))}
    ${why && why.until !== null ? fact(label.due, time(why.until)) : nothing}
    ${expiresAt === undefined ? nothing : fact(label.expires, time(expiresAt))}
    ${
      entry.size > 0
        ? fact(label.size, html`${format.bytes(entry.size)}${entry.type ? html`, <bdi>${entry.type}</bdi>` : nothing}`)
        : nothing
    }
    ${entry.status ? fact(label.answer, fill(words.text.status, { status: String(entry.status) })) : nothing}
    ${entry.lane === null ? nothing : fact(label.lane, html`<bdi>${entry.lane}</bdi>`)}
    ${entry.replays > 0 ? fact(label.replays, format.number(entry.replays)) : nothing}
  </dl>`;
}

function triesTemplate(
  { history, tries }: EntryView,
  { words, format, now }: Telling,
): TemplateResult | typeof nothing {
  if (history.length === 0) return nothing;
  // The history is bounded: the first one listed may be the tenth made.
  const before = Math.max(0, tries - history.length);
  return html`<div>
    <h4>${words.label.history}</h4>
    <ol class="tries" part="history" start=${before + 1}>
      ${history.map(
        ({ at, class: what, status, tookMs, counted }) =>
          html`<li>
            <time datetime=${new Date(at).toISOString()}>${format.clock(at, now)}</time> ${words.failure[what]}
            <span class="muted"
              >· ${status ? fill(words.text.status, { status: String(status) }) : words.text.noAnswer} ·
              ${fill(words.text.took, { time: format.span(tookMs) })}${counted ? nothing : ` · ${words.text.notCounted}`}</span
            >
          </li>`,
      )}
    </ol>
  </div>`;
}

function contentTemplate(
  shown: Shown | undefined,
  title: string,
  { words, format }: Telling,
): TemplateResult | typeof nothing {
  if (!shown) return nothing;
  if (shown.kind === 'loading') return html`<p class="muted">${words.text.loading}</p>`;
  if (shown.kind === 'failed') return html`<p class="error">${shown.message}</p>`;
  const { headers } = shown.content;
  return html`<div class="content" part="content">
    ${
      headers.length > 0
        ? textTemplate(words.label.headers, headers.map(([name, value]) => `${name}: ${value}`).join('\n'))
        : nothing
    }
    ${bodyTemplate(shown, title, { words, format })}
  </div>`;
}

function bodyTemplate(
  { body }: Extract<Shown, { readonly kind: 'ready' }>,
  title: string,
  { words, format }: Pick<Telling, 'words' | 'format'>,
): TemplateResult {
  switch (body.kind) {
    case 'none':
      return html`<p class="muted">${words.text.noBody}</p>`;
    case 'other':
      return html`<p class="muted">${words.text.noPreview} ${body.type} ${format.bytes(body.size)}</p>`;
    case 'text':
      return html`${textTemplate(words.label.body, body.text)}
      ${body.cut ? html`<p class="muted">${fill(words.text.cut, { size: format.bytes(body.text.length) })}</p>` : nothing}`;
    case 'image':
      return html`<canvas
        role="img"
        aria-label=${fill(words.label.preview, { title })}
        ${ref((canvas) => canvas && draw(canvas as HTMLCanvasElement, body.bitmap))}
      ></canvas>`;
  }
}

/** Scrolls when long, so it takes the keyboard's focus; and what takes focus has a name. */
function textTemplate(name: string, text: string): TemplateResult {
  return html`<pre dir="ltr" tabindex="0" role="region" aria-label=${name}>${text}</pre>`;
}
