import { css } from 'lit';

/**
 * Custom properties an app may set on the element, with their defaults. `light-dark()` follows the page's own
 * `color-scheme`, so the panel is dark where the page is, whatever the system prefers. Every pair of text and ground
 * below has a contrast of at least 4.5:1, and every border that shows a control one of 3:1.
 */
export const tokens = css`
  :host {
    --_text: var(--outbox-text, light-dark(#1c2024, #edeef0));
    --_muted: var(--outbox-muted, light-dark(#5b6169, #a9b0b8));
    --_surface: var(--outbox-surface, light-dark(#ffffff, #16181b));
    --_raised: var(--outbox-raised, light-dark(#f5f6f8, #202327));
    --_border: var(--outbox-border, light-dark(#e2e5e9, #33383e));
    --_control: var(--outbox-control, light-dark(#868e98, #767e88));
    --_accent: var(--outbox-accent, light-dark(#0b62c4, #82b7ff));
    --_on-accent: var(--outbox-on-accent, light-dark(#ffffff, #0b1a2d));
    --_ok: var(--outbox-ok, light-dark(#1a7040, #6fcf97));
    --_warn: var(--outbox-warn, light-dark(#8a5300, #f0b45a));
    --_warn-ground: var(--outbox-warn-ground, light-dark(#fff6e5, #2e2413));
    --_danger: var(--outbox-danger, light-dark(#b3261e, #ff9d94));
    --_danger-ground: var(--outbox-danger-ground, light-dark(#fdeeed, #35191a));
    --_radius: var(--outbox-radius, 12px);
    --_font: var(--outbox-font, 14px/1.45 system-ui, sans-serif);
    --_mono: var(--outbox-mono, 12px/1.5 ui-monospace, monospace);
  }
`;
