import type { BroadcastLine } from '../browser/broadcast';
import { hasBroadcastChannel, networkInformation } from '../browser/supports';
import type { Context } from '../flow/context';
import type { System } from '../ports';
import { setAlarm } from './alarm';
import type { Feed } from './feed';
import { isHidden } from './hidden';
import type { WhoSends } from './who-sends';

/** How often a page that nobody can tell anything (no BroadcastChannel) looks what the others have done, ms. */
const deafMs = 5_000;

/**
 * A page is the queue's clock: it wakes the sender when the network or the page comes back, and when the next entry is due.
 * @returns how to stop
 */
export function keepAwake(context: Context, feed: Feed, sends: WhoSends, channel: BroadcastLine): () => void {
  const stops: (() => void)[] = [];
  const on = (target: EventTarget, type: string, work: () => void): void => {
    target.addEventListener(type, work);
    stops.push(() => target.removeEventListener(type, work));
  };

  function look(why: 'online' | 'visible'): void {
    channel.resume();
    void feed.refresh();
    void sends.wake(why);
  }

  on(window, 'online', () => look('online'));
  const network = networkInformation();
  if (network) on(network, 'change', () => look('online'));
  on(window, 'pageshow', () => look('visible'));
  on(document, 'visibilitychange', () => !isHidden() && look('visible'));
  // An open channel keeps a page out of the back/forward cache, or throws it out when something is said.
  on(window, 'pagehide', () => channel.pause());
  if ('serviceWorker' in navigator && navigator.serviceWorker) {
    on(navigator.serviceWorker, 'controllerchange', () => void sends.wake('start').then(() => feed.refresh()));
  }
  if (!hasBroadcastChannel()) stops.push(every(context.system, deafMs, () => void feed.refresh()));
  stops.push(setAlarm(context, feed, sends, isHidden));
  return () => {
    for (const stop of stops) stop();
  };
}

function every(system: Pick<System, 'timer'>, ms: number, work: () => void): () => void {
  let cancel = (): void => undefined;
  const next = (): void => {
    cancel = system.timer(ms, () => {
      next();
      work();
    });
  };
  next();
  return () => cancel();
}
