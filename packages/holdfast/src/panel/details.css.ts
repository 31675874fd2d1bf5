import { css } from 'lit';

/** Progress, search, the unfolded row, long lists, the dialog and the editor in it. */
export const detailStyles = css`
  .progress {
    padding: 0 16px 14px;
  }
  progress {
    appearance: none;
    display: block;
    inline-size: 100%;
    block-size: 6px;
    border: 0;
    border-radius: 3px;
    background: var(--_border);
    overflow: hidden;
  }
  progress::-webkit-progress-bar {
    background: var(--_border);
  }
  progress::-webkit-progress-value {
    background: var(--_accent);
    border-radius: 3px;
  }
  progress::-moz-progress-bar {
    background: var(--_accent);
    border-radius: 3px;
  }
  .progress p {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 14px;
    margin-block-start: 6px;
    font-size: 0.92em;
    font-variant-numeric: tabular-nums;
  }
  .finder {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: end;
    padding: 0 16px 12px;
  }
  .finder label {
    flex: 1 1 120px;
  }
  .finder label:first-child {
    flex: 2 1 180px;
  }
  .finder :is(input, select) {
    inline-size: 100%;
  }
  label > :is(input, select, textarea) {
    color: var(--_text);
    font-size: 1.08em;
  }
  .tail {
    display: flex;
    gap: 12px;
    align-items: center;
    justify-content: center;
    padding: 10px 16px;
    border-block-start: 1px solid var(--_border);
  }
  .long {
    block-size: var(--outbox-list-height, min(70vh, 640px));
    overflow: auto;
    overscroll-behavior: contain;
  }
  .long .row {
    inline-size: 100%;
    border-block-start: 1px solid var(--_border);
  }
  .more {
    grid-column: 1 / -1;
    display: grid;
    gap: 12px;
    padding: 2px 16px 16px;
    margin-inline-start: calc(1.15em + 10px);
  }
  .attention .more {
    margin-inline-start: calc(1.15em + 38px);
  }
  dl {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 3px 16px;
    font-size: 0.92em;
  }
  dt {
    color: var(--_muted);
  }
  dd {
    overflow-wrap: anywhere;
  }
  .tries {
    display: grid;
    gap: 2px;
    padding-inline-start: 1.6em;
    list-style: decimal;
    font-size: 0.92em;
    font-variant-numeric: tabular-nums;
  }
  .tries ::marker {
    color: var(--_muted);
  }
  .content {
    display: grid;
    gap: 8px;
  }
  .content pre {
    max-block-size: 260px;
    overflow: auto;
    padding: 10px 12px;
    border-radius: 8px;
    background: var(--_raised);
    white-space: pre-wrap;
  }
  .content canvas {
    max-inline-size: 100%;
    block-size: auto;
    justify-self: start;
    border-radius: 8px;
    background: var(--_raised);
  }
  .beside {
    grid-auto-flow: column;
    align-items: center;
    gap: 8px;
    margin-inline-start: auto;
  }
  textarea {
    inline-size: 100%;
    min-block-size: 160px;
    resize: vertical;
  }
  dialog {
    inline-size: min(560px, calc(100vw - 24px));
    max-block-size: calc(100dvh - 24px);
    padding: 0;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_text);
    font: var(--_font);
    box-shadow: 0 12px 40px rgb(0 0 0 / 0.28);
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 0.45);
  }
  form {
    display: grid;
    gap: 14px;
    padding: 18px;
  }
  form h2 {
    font-size: 1.1em;
  }
  form .bar {
    justify-content: end;
  }
  form p {
    overflow-wrap: anywhere;
  }
  fieldset {
    display: grid;
    gap: 8px;
    min-inline-size: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  legend,
  h4 {
    margin: 0;
    padding: 0 0 4px;
    font-size: 0.92em;
    font-weight: 600;
    color: var(--_muted);
  }
  .pair {
    display: flex;
    gap: 8px;
    align-items: end;
  }
  .pair > :nth-child(1) {
    flex: 0 1 38%;
    min-inline-size: 0;
  }
  .pair > :nth-child(2) {
    flex: 1;
    min-inline-size: 0;
  }
  .pair input {
    inline-size: 100%;
  }
  fieldset > button {
    justify-self: start;
  }
  [aria-invalid='true'] {
    border-color: var(--_danger);
  }
  .error {
    color: var(--_danger);
  }
  .error:empty {
    display: none;
  }
  @container (inline-size < 480px) {
    .row .more {
      margin-inline-start: 0;
    }
  }
`;
