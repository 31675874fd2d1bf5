import type { Outbox } from 'holdfast/page';
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { User } from '../wire';
import './attempt-timeline';
import './break-things';
import { changesThrough, type Changes, type NoteChange } from './changes';
import { installOffer } from './install-offer';
import './note-form';
import type { NoteActs } from './note-card';
import { questionSheet, type Answers } from './questions';
import type { NoteView } from './round';
import type { Round } from './round-store';
import { changeSession } from './server';
import { dock, signInPage, strip, topBar, type ShellActs } from './shell';
import { siteList } from './site-list';
import { sitePage } from './site-page';
import { siteOf, type Ui } from './ui';
import { stageWord } from './words';

const wide = matchMedia('(min-width: 1180px)');
/** There the outbox covers everything. */
const narrow = matchMedia('(max-width: 759px)');

/** The whole app: it draws the round's state and what is open, and turns what people do into changes. */
export class RoundApp extends LitElement {
  static override properties: PropertyDeclarations = { outbox: { attribute: false }, round: { attribute: false } };
  declare outbox: Outbox;
  declare round: Round;
  #ui: Ui = {
    siteId: siteOf(location.hash),
    dock: wide.matches,
    tab: 'outbox',
    breaking: false,
    form: null,
    question: null,
    toast: '',
  };
  #changes: Changes | undefined;
  readonly #offer = installOffer(() => this.requestUpdate());

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override firstUpdated(): void {
    this.#changes = changesThrough(this.outbox);
    this.round.subscribe(() => this.requestUpdate());
    addEventListener('hashchange', () => {
      this.#open({ siteId: siteOf(location.hash), form: null, question: null });
      scrollTo(0, 0);
    });
    this.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || this.querySelector('dialog[open]')) return;
      if (this.#ui.breaking) this.#open({ breaking: false });
      else if (this.#ui.dock && !wide.matches) void this.#toggleDock();
      this.querySelector('details.account')?.removeAttribute('open');
    });
  }

  #open(part: Partial<Ui>): void {
    this.#ui = { ...this.#ui, ...part };
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    const state = this.round.state();
    const ui = this.#ui;
    const acts = this.#shellActs();
    const signedOut = state.sessionKnown && !state.user;
    const covered = ui.dock && narrow.matches;
    return html`<div ?inert=${covered}>${topBar(state, ui, this.outbox, acts)} ${strip(state, acts)}</div>
      <div class="stage-floor ${ui.siteId ? 'on-site' : 'on-list'} ${ui.dock ? 'with-dock' : ''}">
        <main ?inert=${covered}>
          ${
            signedOut
              ? signInPage(state, acts)
              : html`${siteList(state, ui.siteId)}
                ${
                  ui.siteId
                    ? sitePage(state, ui.siteId, {
                        ...this.#noteActs(),
                        add: () => this.#open({ form: { before: null, problem: '' } }),
                      })
                    : html`<section class="site empty">
                        <p class="nothing">Choose a site to see its records.</p>
                      </section>`
                }`
          }
        </main>
        ${dock(ui, this.outbox, state.user, acts)}
      </div>
      <break-things
        ?open=${ui.breaking}
        @close-drawer=${() => this.#open({ breaking: false })}
        @acted=${() => void this.round.refresh()}
        @healed=${() => void this.outbox.flush({ ignoreBackoff: true })}
      ></break-things>
      ${this.#sheet()}
      <p class="toast" role="status" ?hidden=${!ui.toast}>${ui.toast}</p>`;
  }

  #sheet(): TemplateResult | typeof nothing {
    const { form, question } = this.#ui;
    const site = this.round.state().sites.find(({ id }) => id === (form?.before?.siteId ?? this.#ui.siteId));
    if (!question && (!form || !site)) return nothing;
    return html`<dialog class="sheet" aria-modal="true" @close=${() => this.#open({ form: null, question: null })}>
      ${
        question
          ? questionSheet(question, this.#answers())
          : html`<note-form
              .site=${site}
              .record=${form?.before ?? null}
              .problem=${form?.problem ?? ''}
              @cancel-form=${() => this.#closeSheet()}
              @save-form=${(event: CustomEvent<NoteChange>) => void this.#save(event.detail, site?.name ?? '')}
            ></note-form>`
      }
    </dialog>`;
  }

  protected override updated(): void {
    const sheet = this.querySelector<HTMLDialogElement>('dialog.sheet');
    if (sheet && !sheet.open) sheet.showModal();
  }

  #closeSheet(): void {
    this.querySelector<HTMLDialogElement>('dialog.sheet')?.close();
  }

  async #save(change: NoteChange, siteName: string): Promise<void> {
    try {
      await this.#changes?.save(change, siteName);
      this.#closeSheet();
      this.#say(stageWord('saved'));
    } catch (error) {
      // What could not be stored stays in the form: the only place it exists.
      this.#open({ form: { before: change.before, problem: messageOf(error) } });
    }
  }

  #noteActs(): NoteActs {
    const name = (note: NoteView): string => this.round.state().sites.find(({ id }) => id === note.siteId)?.name ?? '';
    return {
      edit: (before) => this.#open({ form: { before, problem: '' } }),
      remove: (note) => this.#open({ question: { ask: 'delete', note } }),
      keepMine: (note) => void this.#do(this.#changes?.keepMine(note), `Your version of ${name(note)} is on its way.`),
      takeTheirs: (note) => void this.#do(this.#changes?.takeTheirs(note), 'The version on the server was kept.'),
      openOutbox: () => this.#open({ dock: true, tab: 'outbox' }),
    };
  }

  #answers(): Answers {
    const { question } = this.#ui;
    return {
      remove: () => {
        this.#closeSheet();
        if (question?.ask !== 'delete') return;
        const { note } = question;
        const site = this.round.state().sites.find(({ id }) => id === note.siteId);
        void this.#do(this.#changes?.remove(note, site?.name ?? ''), 'Deleted on this device.');
      },
      signOut: (unsent) => {
        this.#closeSheet();
        void this.#do(this.#signOut(unsent));
      },
      cancel: () => this.#closeSheet(),
    };
  }

  #shellActs(): ShellActs {
    return {
      toggleDock: () => void this.#toggleDock(),
      tab: (tab) => {
        // Its chart is larger than the rest of the app, and few want it.
        if (tab === 'simulator') void this.#do(import('./simulator/policy-simulator'));
        this.#open({ tab });
      },
      toggleBreaking: () => this.#open({ breaking: !this.#ui.breaking }),
      refresh: () => {
        void this.round.refresh();
        void this.#do(this.outbox.flush({ ignoreBackoff: true }));
      },
      signIn: (user) => void this.#do(this.#signIn(user), `Signed in as ${user.name}.`),
      signOut: () => void this.#do(this.#askToSignOut()),
      install: this.#offer.install(),
    };
  }

  /** Where it covers the page, the focus goes in with it and comes back out. */
  async #toggleDock(): Promise<void> {
    const dock = !this.#ui.dock;
    this.#open({ dock });
    await this.updateComplete;
    if (narrow.matches)
      this.querySelector<HTMLElement>(dock ? '.dock [aria-selected="true"]' : '.dock-button')?.focus();
  }

  async #signIn({ id }: User): Promise<void> {
    await this.round.setSession(await changeSession(id));
  }

  async #askToSignOut(): Promise<void> {
    this.querySelector('details.account')?.removeAttribute('open');
    const { pending, dead } = await this.outbox.beforeSignOut();
    if (pending + dead > 0) this.#open({ question: { ask: 'sign-out', pending, dead } });
    else await this.#signOut('keep');
  }

  async #signOut(unsent: Parameters<Answers['signOut']>[0]): Promise<void> {
    const leaving = await this.outbox.beforeSignOut();
    if (unsent === 'send') {
      await leaving.sendNow();
      return this.#askToSignOut();
    }
    // First the session: if it cannot be ended, nothing is thrown away.
    const session = await changeSession(null);
    if (unsent === 'discard') await leaving.discard();
    await this.round.setSession(session);
    this.#say('Signed out.');
  }

  async #do(work: Promise<unknown> | undefined, said?: string): Promise<void> {
    try {
      await work;
      if (said) this.#say(said);
    } catch (error) {
      this.#say(messageOf(error));
    }
  }

  #toastTimer: ReturnType<typeof setTimeout> | undefined;
  #say(toast: string): void {
    clearTimeout(this.#toastTimer);
    this.#open({ toast });
    this.#toastTimer = setTimeout(() => this.#open({ toast: '' }), 4_000);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

customElements.define('round-app', RoundApp);

declare global {
  interface HTMLElementTagNameMap {
    'round-app': RoundApp;
  }
}
