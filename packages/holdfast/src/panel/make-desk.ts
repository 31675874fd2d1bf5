import type { EntryView, OutboxSnapshot } from '../core/snapshot';
import type { Outbox } from '../page/client';
import type { PanelClock } from './clock';
import { clearDesk, type Desk } from './desk';
import { formatFor } from './format';
import type { FirstWords } from './words/words';

/** What a desk needs of its panel. */
export interface DeskOwner {
  readonly outbox: Outbox | null;
  readonly assignee: string;
  readonly clock: PanelClock;
  requestUpdate(): void;
}

/** A desk whose every change draws the panel anew. */
export function makeDesk(
  panel: DeskOwner,
  words: () => FirstWords,
  snapshot: () => OutboxSnapshot | null,
  entries: () => readonly EntryView[],
): Desk {
  let state = clearDesk;
  return {
    get outbox() {
      return panel.outbox;
    },
    get assignee() {
      return panel.assignee;
    },
    get clock() {
      return panel.clock;
    },
    get words() {
      return words();
    },
    get format() {
      return formatFor(words().language);
    },
    get state() {
      return state;
    },
    get snapshot() {
      return snapshot();
    },
    get entries() {
      return entries();
    },
    find: (id) => entries().find((entry) => entry.id === id),
    set(change) {
      state = { ...state, ...change };
      panel.requestUpdate();
    },
  };
}
