import { html, nothing, type TemplateResult } from 'lit';
import { fill } from './format';
import type { Progress } from './progress';
import type { Telling } from './row';

/** How much of the drain is done, how fast it goes and how long it may take. */
export function progressTemplate(
  progress: Progress | null,
  { words, format }: Telling,
): TemplateResult | typeof nothing {
  if (!progress || progress.total < 1) return nothing;
  const { done, total, doneBytes, totalBytes, bytesPerSecond } = progress;
  const count = fill(words.text.done, { done: format.number(done), total: format.number(total) });
  const bytes = fill(words.text.done, { done: format.bytes(doneBytes), total: format.bytes(totalBytes) });
  const leftMs = bytesPerSecond > 0 ? ((totalBytes - doneBytes) / bytesPerSecond) * 1000 : 0;
  return html`<div class="progress" part="progress">
    <progress max=${total} .value=${done} aria-label=${words.label.progress}></progress>
    <p class="muted">
      <span>${count}</span>
      ${totalBytes > 0 ? html`<span>${bytes}</span>` : nothing}
      ${bytesPerSecond > 0 ? html`<span>${format.speed(bytesPerSecond)}</span>` : nothing}
      ${leftMs >= 1000 ? html`<span>${fill(words.text.left, { time: format.span(leftMs) })}</span>` : nothing}
    </p>
  </div>`;
}
