import { css } from 'lit';

export const rowStyles = css`
  .group {
    border-block-start: 1px solid var(--_border);
  }
  .group > .head {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: center;
    justify-content: space-between;
    padding: 10px 16px 4px;
    min-block-size: 36px;
  }
  .row {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    inline-size: 100%;
  }
  .row + .row {
    border-block-start: 1px solid var(--_border);
  }
  .pick {
    display: grid;
    place-items: center;
    padding-inline-start: 16px;
    cursor: pointer;
  }
  .fold {
    grid-column: -2 / -1;
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    gap: 1px 10px;
    align-items: center;
    inline-size: 100%;
    padding: 10px 16px;
    text-align: start;
    font-weight: 400;
    border: 0;
    border-radius: 0;
    background: none;
  }
  .fold:focus-visible {
    outline-offset: -3px;
  }
  .fold > .icon {
    color: var(--_muted);
  }
  .row.attention .fold > .icon:first-child {
    color: var(--_danger);
  }
  .row.sending .fold > .icon:first-child {
    color: var(--_accent);
  }
  .row.confirmed .fold > .icon:first-child {
    color: var(--_ok);
  }
  .fold > .icon:last-child {
    grid-area: 1 / 3;
  }
  .fold[aria-expanded='true'] > .icon:last-child {
    rotate: 180deg;
  }
  .title {
    font-weight: 550;
    overflow-wrap: anywhere;
  }
  .lines {
    grid-column: 2;
    display: flex;
    flex-wrap: wrap;
    gap: 0 10px;
    font-size: 0.92em;
    color: var(--_muted);
  }
  .lines > * + *::before {
    content: '·';
    margin-inline-end: 10px;
  }
  .state {
    font-weight: 550;
    color: var(--_text);
  }
  .attention .state {
    color: var(--_danger);
  }
  .confirmed .state {
    color: var(--_ok);
  }
  .sending .state {
    color: var(--_accent);
  }
  .skip:not(:focus) {
    position: absolute;
    clip-path: inset(50%);
  }
  @media (prefers-reduced-motion: no-preference) {
    .row.sending .fold > .icon:first-child {
      animation: rise 1.2s ease-in-out infinite;
    }
    .fold > .icon:last-child {
      transition: rotate 0.15s;
    }
  }
  @keyframes rise {
    50% {
      translate: 0 -2px;
      opacity: 0.6;
    }
  }
`;
