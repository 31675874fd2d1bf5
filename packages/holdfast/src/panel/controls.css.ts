import { css } from 'lit';

/** Buttons, fields and the dialog. Targets are at least 32 px high, 44 where the pointer is a finger. */
export const controlStyles = css`
  button,
  input,
  select,
  label {
    display: grid;
    gap: 4px;
    font-size: 0.92em;
    color: var(--_muted);
  }
  label > :is(input, select, textarea) {
    color: var(--_text);
  }
  .finder {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: end;
    padding: 0 16px 12px;
  }
  .finder label:first-child {
    flex: 1 1 160px;
  }
  .finder input,
  .finder select {
    inline-size: 100%;
  }
  @media (pointer: coarse) {
    button,
    input,
    select {
      min-block-size: 44px;
    }
  }
`;
