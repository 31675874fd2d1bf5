import { run, type Desk } from './desk';
import type { Group } from './row';

type OwnAct = (desk: Desk, id: string, panel: { readonly signIn: (() => void) | null }) => unknown;

/** Acts of what is seen at first; they work before anything else has been fetched. */
export const ownActs: Readonly<Record<string, OwnAct>> = {
  signIn: (_desk, _id, panel) => panel.signIn?.(),
  sendNow: (desk) => run(desk, (outbox) => outbox.flush({ ignoreBackoff: true })),
  pause: (desk) => run(desk, (outbox) => outbox.pause().then(() => desk.words.said.paused)),
  resume: (desk) => run(desk, (outbox) => outbox.resume().then(() => desk.words.said.resumed)),
  fold: (desk, id) => desk.set({ expanded: toggled(desk.state.expanded, id) }),
  group(desk, id) {
    const { filter } = desk.state;
    desk.set({ filter: { ...filter, group: filter.group === id ? null : (id as Group) } });
  },
  dismiss: (desk) => desk.set({ error: '' }),
};

/** The set with this one in it, or without it when it was. */
export function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}
