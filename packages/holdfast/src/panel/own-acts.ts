import { run, type Desk } from './desk';
import { everything, fits } from './filter';
import type { Group } from './row';

/** Acts that need nothing behind a click. */
export const ownActs: Readonly<
  Record<string, (desk: Desk, id: string, panel: { readonly signIn: (() => void) | null }) => unknown>
> = {
  signIn: (_desk, _id, panel) => panel.signIn?.(),
  sendNow: (desk) => run(desk, (outbox) => outbox.flush({ ignoreBackoff: true })),
  pause: (desk) =>
    run(desk, async (outbox) => {
      await outbox.pause();
      return desk.words.said.paused;
    }),
  resume: (desk) =>
    run(desk, async (outbox) => {
      await outbox.resume();
      return desk.words.said.resumed;
    }),
  fold: (desk, id) => desk.set({ expanded: toggled(desk.state.expanded, id) }),
  group: (desk, id) => {
    const { filter } = desk.state;
    desk.set({ filter: { ...filter, group: filter.group === id ? null : (id as Group) } });
  },
  everything: (desk) => desk.set({ filter: everything }),
  dismiss: (desk) => desk.set({ error: '' }),
  pickNone: (desk) => desk.set({ picked: new Set() }),
  pickAll: (desk) => {
    const fitting = desk.entries.filter(
      (entry) => entry.dead && entry.dead.triage !== 'closed' && fits(entry, desk.state.filter, desk.words),
    );
    desk.set({ picked: new Set(fitting.map(({ id }) => id)) });
  },
};

/** The set with this one in it, or without it when it was. */
export function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}
