import type { Message } from '../core/messages';
import type { Context } from './context';
import type { Changed } from './ledger';
import { tellDead } from './tell';

/**
 * Tells every context that the store moved on, and this one who died: whatever killed it, nothing dies in silence. The
 * message may get lost; whoever looks at the store again is right.
 */
export function notify(context: Context, changed: Changed<unknown>): void {
  const { channel, config } = context;
  if (changed.ids.length === 0 && !changed.gates) return;
  for (const entry of changed.died) tellDead(context, entry);
  const message: Message = {
    v: 1,
    type: 'changed',
    outbox: config.name,
    revision: changed.revision,
    ids: changed.ids.slice(0, 100),
  };
  try {
    channel.post(message);
  } catch {
    // A closed or broken channel: the next look at the store tells the truth.
  }
}
