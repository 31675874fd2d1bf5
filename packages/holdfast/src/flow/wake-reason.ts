/** Why somebody wants the queue looked at. */
export type WakeReason =
  | 'start'
  | 'timer'
  | 'online'
  | 'visible'
  | 'enqueue'
  | 'live-success'
  | 'sync'
  | 'person'
  | 'message';

const hints: readonly WakeReason[] = ['start', 'online', 'visible', 'enqueue', 'live-success', 'sync', 'person'];

/** Whether it comes from the world outside (a timer of ours does not): then one probe is allowed although things looked bad. */
export function isHint(why: WakeReason): boolean {
  return hints.includes(why);
}
