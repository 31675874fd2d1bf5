import { css } from 'lit';

/** Buttons and fields. Targets are at least 32 px high, 44 where the pointer is a finger. */
export const controlStyles = css`
  button,
  input,
  select,
  textarea {
    font: inherit;
    color: inherit;
    border: 1px solid var(--_control);
    border-radius: 8px;
    background: var(--_surface);
    padding: 5px 10px;
    min-block-size: 32px;
    max-inline-size: 100%;
  }
  button {
    display: inline-flex;
    gap: 6px;
    align-items: center;
    justify-content: center;
    font-weight: 500;
    border-color: var(--_border);
    cursor: pointer;
  }
  .bar button {
    white-space: nowrap;
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
  button.primary:hover {
    filter: brightness(1.08);
  }
  button:disabled {
    opacity: 0.6;
    cursor: default;
  }
  button.quiet {
    border-color: transparent;
    background: none;
    color: var(--_accent);
  }
  button[aria-pressed='true'] {
    border-color: var(--_accent);
    box-shadow: inset 0 0 0 1px var(--_accent);
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
  label {
    display: grid;
    gap: 4px;
    font-size: 0.92em;
    color: var(--_muted);
  }
  @media (pointer: coarse) {
    button,
    input:not([type='checkbox']),
    select {
      min-block-size: 44px;
    }
    .pick {
      min-inline-size: 44px;
    }
  }
  @media (forced-colors: active) {
    button[aria-pressed='true'] {
      outline: 2px solid Highlight;
    }
  }
`;
