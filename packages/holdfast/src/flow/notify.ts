import type { Message } from '../core/messages';
import type { Context } from './context';
import type { Changed } from './ledger';

/** Tells every context that the store moved on. It may get lost; whoever looks at the store again is right. */
export function notify({ channel, config }: Pick<Context, 'channel' | 'config'>, changed: Changed<unknown>): void {
  if (changed.ids.length === 0) return;
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
