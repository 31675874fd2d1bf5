import { css } from 'lit';

export const rowStyles = css`
  .group {
    border-block-start: 1px solid var(--_border);
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: center;
    justify-content: space-between;
    padding: 8px 16px 2px;
    min-block-size: 36px;
  }
  .head .quiet:last-child {
    margin-inline-end: -10px;
  }
  .head span {
    font-weight: 400;
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
    align-self: start;
    block-size: 52px;
    padding-inline: 16px 4px;
    cursor: pointer;
  }
  .fold {
    grid-column: -2 / -1;
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    gap: 1px 10px;
    align-items: start;
    justify-content: stretch;
    inline-size: 100%;
    padding: 8px 16px 9px;
    text-align: start;
    font-weight: 400;
    border: 0;
    border-radius: 0;
    background: none;
  }
  .pick + .fold {
    padding-inline-start: 6px;
  }
  .fold:focus-visible {
    outline-offset: -3px;
  }
  .fold > .icon {
    color: var(--_muted);
    margin-block-start: 0.15em;
  }
  .fold > .icon:last-child {
    grid-area: 1 / 3;
  }
  .fold[aria-expanded='true'] > .icon:last-child {
    rotate: 180deg;
  }
  .attention .icon:first-child,
  .attention .state {
    color: var(--_danger);
  }
  .sending .icon:first-child,
  .sending .state {
    color: var(--_accent);
  }
  .confirmed .icon:first-child,
  .confirmed .state {
    color: var(--_ok);
  }
  .title {
    font-weight: 550;
    overflow-wrap: anywhere;
  }
  .line {
    grid-column: 2 / -1;
    font-size: 0.92em;
    color: var(--_muted);
  }
  .state {
    font-weight: 550;
    color: var(--_text);
  }
  .facts {
    font-variant-numeric: tabular-nums;
  }
  .skip:not(:focus) {
    position: absolute;
    clip-path: inset(50%);
  }
  @container (inline-size >= 560px) {
    .fold {
      grid-template-columns: auto minmax(0, 1fr) auto auto;
    }
    .title {
      grid-column: 2 / 4;
    }
    .line {
      grid-column: 2;
    }
    .line.facts {
      grid-column: 3 / 5;
      text-align: end;
    }
    .fold > .icon:last-child {
      grid-area: 1 / 4;
    }
  }
  @media (prefers-reduced-motion: no-preference) {
    .sending .fold > .icon:first-child {
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
