import { html, nothing, type TemplateResult } from 'lit';
import type { Question } from './desk';
import { problemOf, type Draft, type Pair } from './draft';
import { fill, type Format } from './format';
import { fullWords } from './full-words';
import type { FirstWords, Words } from './words/words';

/** What the dialog holds: the question, what it means, and the way back beside the act itself. */
export function dialogTemplate(question: Question, first: FirstWords, format: Format): TemplateResult {
  const words = fullWords(first);
  const { ask } = question;
  const editor = ask === 'fix' || ask === 'edit';
  return html`<form method="dialog" novalidate>
    <h2 id="question">${words.ask[ask]}</h2>
    <p><bdi>${'entry' in question ? question.entry.title : question.title}</bdi></p>
    ${editor ? draftTemplate(question, words, format) : plainTemplate(ask, words)}
    <div class="bar">
      <button type="button" part="button" data-act="back">${words.act.back}</button>
      ${editor ? html`<button type="submit" part="button" value="save">${words.act.save}</button>` : nothing}
      ${
        ask === 'edit'
          ? nothing
          : html`<button
              type="submit"
              part="button"
              value="do"
              class="primary ${ask === 'cancel' || ask === 'close' ? 'danger' : ''}"
            >
              ${ask === 'fix' ? words.act.saveAndSend : words.act[ask]}
            </button>`
      }
    </div>
  </form>`;
}

function plainTemplate(ask: 'cancel' | 'claim' | 'close', { ask: text, label }: Words): TemplateResult {
  if (ask === 'cancel') return html`<p class="muted">${text.cancelText}</p>`;
  return html`<p class="muted">${ask === 'claim' ? text.claimText : text.closeText}</p>
    <label
      >${ask === 'claim' ? label.assignee : label.resolution}
      <input name="answer" required autocomplete=${ask === 'claim' ? 'name' : 'off'}
    /></label>`;
}

type Editing = Extract<Question, { readonly draft: Draft }>;

function draftTemplate({ draft, problem, entry }: Editing, words: Words, format: Format): TemplateResult {
  const { label, text } = words;
  const wrong = problem ? problemOf(draft)?.at : undefined;
  return html`<div class="pair">
      <label>${label.method}<input data-draft="method" .value=${draft.method} autocomplete="off" /></label>
      <label
        >${label.url}<input
          type="url"
          data-draft="url"
          dir="ltr"
          .value=${draft.url}
          autocomplete="off"
          aria-invalid=${wrong === 'url' ? 'true' : 'false'}
          aria-describedby="problem"
      /></label>
    </div>
    ${pairsTemplate('headers', label.headers, draft.headers, words)}
    ${draft.headers.length > 0 ? html`<p class="muted">${text.headersHidden}</p>` : nothing}
    ${bodyTemplate(draft.body, wrong === 'body', words, format)}
    ${entry.outcome === 'answered' ? html`<p class="muted">${text.newKey}</p>` : nothing}
    <p class="error" id="problem">${problem}</p>`;
}

function bodyTemplate(
  body: Draft['body'],
  wrong: boolean,
  words: Words,
  format: Format,
): TemplateResult | typeof nothing {
  const { label, text } = words;
  switch (body.kind) {
    case 'none':
      return nothing;
    case 'json':
    case 'text':
      return html`<label
        >${label.body}<textarea
          data-draft="body"
          autofocus
          dir=${body.kind === 'json' ? 'ltr' : 'auto'}
          spellcheck="false"
          aria-invalid=${wrong ? 'true' : 'false'}
          aria-describedby="problem"
          .value=${body.text}
        ></textarea>
      </label>`;
    case 'form':
      return pairsTemplate('fields', label.fields, body.fields, words);
    case 'binary':
      return html`<p class="muted">${text.noPreview} ${body.type} ${format.bytes(body.size)}</p>`;
    case 'parts':
      return html`<div>
        <h3>${label.parts}</h3>
        <p class="muted">${text.partsReadOnly}</p>
        <dl>
          ${body.parts.map(
            ({ name, value, file }) =>
              html`<dt><bdi>${name}</bdi></dt>
                <dd>
                  <bdi>${value}</bdi>${file ? ` (${file.type || label.file}, ${format.bytes(file.size)})` : nothing}
                </dd>`,
          )}
        </dl>
      </div>`;
  }
}

function pairsTemplate(
  list: 'headers' | 'fields',
  heading: string,
  pairs: readonly Pair[],
  words: Words,
): TemplateResult {
  const { label, act } = words;
  return html`<fieldset>
    <legend>${heading}</legend>
    ${pairs.map(
      ({ name, value }, n) =>
        html`<div class="pair">
          <input data-draft="${list}.${n}.name" aria-label=${label.name} dir="ltr" autocomplete="off" .value=${name} />
          <input
            data-draft="${list}.${n}.value"
            aria-label="${label.value} ${name}"
            dir="auto"
            autocomplete="off"
            .value=${value}
          />
          <button
            type="button"
            class="quiet"
            data-act="removePair"
            data-id=${list}
            data-at=${n}
            aria-label=${fill(act.remove, { name })}
          >
            ✕
          </button>
        </div>`,
    )}
    <button type="button" data-act="addPair" data-id=${list}>${act.add}</button>
  </fieldset>`;
}
