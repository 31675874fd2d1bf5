import { css } from 'lit';

/** Layout by logical properties only, so that right-to-left needs no rule of its own; widths by the panel's, not the window's. */
export const panelStyles = css`
  :host {
    display: block;
    container-type: inline-size;
    font: var(--_font);
    color: var(--_text);
    -webkit-text-size-adjust: 100%;
  }
  :host([hidden]) {
    display: none;
  }
  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }
  .panel {
    background: var(--_surface);
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    overflow: clip;
  }
  h2,
  h3,
  p,
  ul,
  ol,
  dl,
  dd,
  pre {
    margin: 0;
    padding: 0;
  }
  ul,
  ol {
    list-style: none;
  }
  h2 {
    font-size: 1.2em;
    font-weight: 650;
    letter-spacing: -0.01em;
  }
  h3 {
    font-size: 0.86em;
    font-weight: 600;
    color: var(--_muted);
  }
  .muted {
    color: var(--_muted);
  }
  .mono,
  pre,
  textarea {
    font: var(--_mono);
    overflow-wrap: anywhere;
  }
  .icon {
    inline-size: 1.15em;
    block-size: 1.15em;
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.6;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .hush {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .top {
    display: flex;
    flex-wrap: wrap;
    gap: 8px 16px;
    align-items: start;
    padding: 16px 16px 12px;
  }
  .lead {
    flex: 1 1 220px;
    min-inline-size: 0;
  }
  .lead p {
    margin-block-start: 2px;
    color: var(--_muted);
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: center;
  }
  .notice {
    display: flex;
    gap: 10px;
    margin: 0 16px 10px;
    padding: 9px 12px;
    border-radius: calc(var(--_radius) - 4px);
    background: var(--_warn-ground);
  }
  .notice > .icon {
    margin-block-start: 0.15em;
    color: var(--_warn);
  }
  .notice > p {
    flex: 1;
  }
  .notice.danger {
    background: var(--_danger-ground);
  }
  .notice.danger > .icon {
    color: var(--_danger);
  }
  .tiles {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 8px;
    padding: 0 16px 14px;
  }
  .tile {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 0 8px;
    align-items: center;
    align-content: start;
    padding: 9px 12px;
    text-align: start;
    background: var(--_raised);
    border-color: transparent;
    border-radius: calc(var(--_radius) - 4px);
    font-weight: 400;
  }
  .tile b {
    font-size: 1.45em;
    line-height: 1.2;
    font-weight: 600;
    font-variant-numeric: tabular-nums;
  }
  .tile .icon {
    justify-self: end;
    color: var(--_muted);
  }
  .tile small {
    grid-column: 1 / -1;
    font-size: 0.9em;
    color: var(--_muted);
  }
  .tile.attention.some {
    background: var(--_danger-ground);
  }
  .tile.attention.some b,
  .tile.attention.some .icon,
  .tile.attention.some small {
    color: var(--_danger);
  }
  .tile.sending.some .icon {
    color: var(--_accent);
  }
  .tile.confirmed.some .icon {
    color: var(--_ok);
  }
  .empty {
    padding: 26px 24px 30px;
    text-align: center;
    color: var(--_muted);
    border-block-start: 1px solid var(--_border);
  }
  .foot {
    display: flex;
    flex-wrap: wrap;
    gap: 8px 16px;
    align-items: center;
    padding: 10px 16px;
    border-block-start: 1px solid var(--_border);
    font-size: 0.9em;
  }
  .foot > p,
  .foot > div {
    flex: 1 1 260px;
    color: var(--_muted);
  }
  @container (inline-size >= 560px) {
    .tiles {
      grid-template-columns: repeat(4, minmax(0, 1fr));
    }
  }
`;
