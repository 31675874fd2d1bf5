import { html, type TemplateResult } from 'lit';
import { icon } from './icon';
import type { Question } from './ui';
import { counted } from './words';

export interface Answers {
  readonly remove: () => void;
  /** `send`: try once more now. `keep`: they wait for the same inspector. `discard`: they are given up. */
  readonly signOut: (unsent: 'send' | 'keep' | 'discard') => void;
  readonly cancel: () => void;
}

export function questionSheet(question: Question, answers: Answers): TemplateResult {
  return question.ask === 'delete' ? deletion(answers) : signOut(question, answers);
}

function deletion({ remove, cancel }: Answers): TemplateResult {
  return html`<div class="question">
    <h2>Delete this record?</h2>
    <p>Its photos go with it. While you are offline the deletion waits on this device.</p>
    <footer>
      <button @click=${cancel}>Keep it</button>
      <button class="primary danger" @click=${remove}>${icon('remove')}Delete</button>
    </footer>
  </div>`;
}

function signOut({ pending, dead }: { pending: number; dead: number }, answers: Answers): TemplateResult {
  const what = [
    pending > 0 ? `${counted(pending, 'request')} not sent yet` : '',
    dead > 0 ? `${dead} needing attention` : '',
  ];
  return html`<div class="question">
    <h2>There is unsent work</h2>
    <p>
      This device still holds ${what.filter(Boolean).join(' and ')}. Kept, it is sent when you sign in here again: never
      under another inspector’s name.
    </p>
    <footer class="stacked">
      <button class="primary" @click=${() => answers.signOut('keep')}>Sign out and keep it here</button>
      <button @click=${() => answers.signOut('send')}>${icon('up')}Try to send it first</button>
      <button class="quiet danger" @click=${() => answers.signOut('discard')}>Sign out and discard it</button>
      <button class="quiet" @click=${answers.cancel}>Stay signed in</button>
    </footer>
  </div>`;
}
