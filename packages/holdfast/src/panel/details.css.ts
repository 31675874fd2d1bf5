import { css } from 'lit';

/** The unfolded row, the dialog and the editor in it. */
export const detailStyles = css`
  .more {
    grid-column: 1 / -1;
    display: grid;
    gap: 12px;
    padding: 2px 16px 16px;
    margin-inline-start: 26px;
  }
  .more dl {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 3px 14px;
    font-size: 0.92em;
  }
  .more dt {
    color: var(--_muted);
  }
  .more dd {
    overflow-wrap: anywhere;
  }
  .tries {
    display: grid;
    gap: 2px;
    margin-block-start: 4px;
    font-size: 0.92em;
    font-variant-numeric: tabular-nums;
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
    border-radius: 8px;
    background: var(--_raised);
  }
  textarea {
    font: inherit;
    color: inherit;
    border: 1px solid var(--_control);
    border-radius: 8px;
    background: var(--_surface);
    padding: 6px 10px;
    min-block-size: 32px;
    max-inline-size: 100%;
  }
  button {
    display: inline-flex;
    gap: 6px;
    align-items: center;
    justify-content: center;
    font-weight: 550;
    border-color: var(--_border);
    cursor: pointer;
  }
  button:hover {
    background: var(--_raised);
  }
  button.primary {
    background: var(--_accent);
    border-color: var(--_accent);
    color: var(--_on-accent);
  }
  button.danger {
    color: var(--_danger);
  }
  button.danger.primary {
    background: var(--_danger);
    border-color: var(--_danger);
    color: var(--_surface);
  }
  button:disabled {
    opacity: 0.55;
    cursor: default;
  }
  button.quiet {
    border-color: transparent;
    background: none;
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  input[type='checkbox'] {
    inline-size: 18px;
    block-size: 18px;
    min-block-size: 0;
    margin: 0;
    accent-color: var(--_accent);
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
  dialog form {
    display: grid;
    gap: 14px;
    padding: 18px;
  }
  dialog h2 {
    font-size: 1.1em;
    overflow-wrap: anywhere;
  }
  dialog .bar {
    justify-content: end;
  }
  .error {
    color: var(--_danger);
  }
  @container (inline-size < 420px) {
    .more {
      margin-inline-start: 0;
    }
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
    flex: 0 1 34%;
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
  .beside {
    grid-auto-flow: column;
    align-items: center;
    gap: 8px;
  }
  [aria-invalid='true'] {
    border-color: var(--_danger);
  }
  #problem:empty {
    display: none;
  }
`;
