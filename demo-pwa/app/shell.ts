import type { Outbox } from 'holdfast/page';
import { html, nothing, type TemplateResult } from 'lit';
import type { User } from '../wire';
import { icon } from './icon';
import type { RoundState } from './round-store';
import type { Ui } from './ui';
import { moment } from './words';

/** What the frame around every page can do. */
export interface ShellActs {
  toggleDock(): void;
  tab(tab: Ui['tab']): void;
  toggleBreaking(): void;
  signIn(user: User): void;
  signOut(): void;
  refresh(): void;
  /** Null where the browser does not offer it, or it is done. */
  readonly install: (() => void) | null;
}

export function topBar(state: RoundState, ui: Ui, outbox: Outbox, acts: ShellActs): TemplateResult {
  return html`<header class="bar">
    <a class="brand" href="#/">${icon('anchor')}<span>Quayside</span></a>
    <nav aria-label="Tools">
      ${
        acts.install
          ? html`<button class="bar-button" @click=${() => acts.install?.()}>
              ${icon('install')}<span>Install</span>
            </button>`
          : nothing
      }
      <button class="bar-button" aria-pressed=${ui.breaking} @click=${() => acts.toggleBreaking()}>
        ${icon('zap')}<span>Break things</span>
      </button>
      <button class="bar-button dock-button" aria-pressed=${ui.dock} @click=${() => acts.toggleDock()}>
        ${icon('tray')}<span>Outbox</span><outbox-badge .outbox=${outbox}></outbox-badge>
      </button>
      ${account(state, acts)}
    </nav>
  </header>`;
}

function account({ user, sessionKnown }: RoundState, acts: ShellActs): TemplateResult {
  return html`<details class="account">
    <summary class="bar-button">
      <span class="avatar" aria-hidden="true">${user ? initials(user) : '?'}</span>
      <span class="hush">${user ? `Signed in as ${user.name}` : 'Signed out'}</span>
    </summary>
    <div class="menu">
      ${
        user
          ? html`<p><b>${user.name}</b><span>Inspector on this device</span></p>
              <button class="quiet" @click=${() => acts.signOut()}>${icon('leave')}Sign out</button>`
          : html`<p><b>${sessionKnown ? 'Nobody is signed in' : 'Not known yet who is signed in'}</b></p>`
      }
    </div>
  </details>`;
}

function initials({ name }: User): string {
  return name
    .split(' ')
    .map((part) => part[0])
    .join('');
}

/** One line for what the person should know about the connection; nothing when all is well. */
export function strip(
  { server, user, sessionKnown, outbox }: RoundState,
  acts: ShellActs,
): TemplateResult | typeof nothing {
  if (server.refused && user) {
    return html`<p class="strip attention" role="status">
      ${icon('attention')}<span>Your session has ended. What you record waits here until you sign in again.</span>
      <button class="quiet" @click=${() => acts.signIn(user)}>Sign in again</button>
    </p>`;
  }
  if (!sessionKnown && server.source === 'none') {
    return html`<p class="strip" role="status">
      ${icon('offline')}<span>The server cannot be reached yet. Trying again…</span>
    </p>`;
  }
  if (server.source !== 'saved') return nothing;
  const waiting = outbox.counts.pending + outbox.counts.sending;
  return html`<p class="strip" role="status">
    ${icon('offline')}<span
      >Not connected. This is the round as of
      ${moment(server.fetchedAt)}${waiting > 0 ? ', with what you have recorded since' : ''}.</span
    >
    <button class="quiet" @click=${() => acts.refresh()}>Try now</button>
  </p>`;
}

/** Whoever holds the device says who they are. There are no passwords in this demo. */
export function signInPage({ users }: RoundState, acts: ShellActs): TemplateResult {
  return html`<section class="sign-in" aria-labelledby="sign-in-title">
    <h1 id="sign-in-title">Who is on the round?</h1>
    <p>What each inspector has recorded on this device is sent only under their own name.</p>
    ${users.map(
      (user) =>
        html`<button @click=${() => acts.signIn(user)}>
          <span class="avatar" aria-hidden="true">${initials(user)}</span>${user.name}${icon('forward')}
        </button>`,
    )}
  </section>`;
}

export function dock(ui: Ui, outbox: Outbox, user: User | null, acts: ShellActs): TemplateResult {
  const tabs = { outbox: 'Outbox', attempts: 'Attempts', simulator: 'Simulator' } as const;
  const order: readonly Ui['tab'][] = ['outbox', 'attempts', 'simulator'];
  const button = (name: Ui['tab']): TemplateResult =>
    html`<button
      role="tab"
      id="tab-${name}"
      aria-selected=${ui.tab === name}
      tabindex=${ui.tab === name ? 0 : -1}
      @click=${() => acts.tab(name)}
    >
      ${tabs[name]}
    </button>`;
  const arrows = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const step = event.key === 'ArrowRight' ? 1 : order.length - 1;
    const next = order[(order.indexOf(ui.tab) + step) % order.length] ?? 'outbox';
    acts.tab(next);
    (event.currentTarget as HTMLElement).querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return html`<aside class="dock" ?hidden=${!ui.dock} aria-label="Outbox">
    <header>
      <div role="tablist" aria-label="Outbox" @keydown=${arrows}>${order.map(button)}</div>
      <button class="quiet round" aria-label="Close" @click=${() => acts.toggleDock()}>${icon('close')}</button>
    </header>
    <div role="tabpanel" tabindex="0" aria-labelledby="tab-outbox" ?hidden=${ui.tab !== 'outbox'}>
      <outbox-panel
        .outbox=${outbox}
        assignee=${user?.name ?? ''}
        .signIn=${user ? () => acts.signIn(user) : null}
      ></outbox-panel>
    </div>
    <div role="tabpanel" tabindex="0" aria-labelledby="tab-attempts" ?hidden=${ui.tab !== 'attempts'}>
      <attempt-timeline .outbox=${outbox}></attempt-timeline>
    </div>
    <div role="tabpanel" tabindex="0" aria-labelledby="tab-simulator" ?hidden=${ui.tab !== 'simulator'}>
      ${ui.tab === 'simulator' ? html`<policy-simulator></policy-simulator>` : nothing}
    </div>
  </aside>`;
}
