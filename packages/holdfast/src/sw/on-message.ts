import { readMessage, type Awake } from '../core/messages';
import { atMost } from '../flow/at-most';
import type { Engine } from '../flow/engine';
import type { Underway } from './underway';

declare const self: ServiceWorkerGlobalScope;

/**
 * How long one message keeps the worker at work at most, ms. Chromium ends a worker that has been at one event for five minutes, in
 * the middle of whatever it does; while anything waits pages send the next message long before.
 */
const eventMs = 240_000;

/** Pages are the worker's clock: each "wake" keeps it alive until the queue has had its turn. */
export function onMessages(engine: Engine, underway: Underway): void {
  const { config, owner, system } = engine.context;
  self.addEventListener('message', (event) => {
    const message = readMessage(event.data, config.name);
    if (message?.type === 'abandon') underway.abandon(message.key);
    if (message?.type !== 'wake') return;
    // The answer tells the page that somebody is here who drains; a worker without Holdfast says nothing.
    event.ports[0]?.postMessage({ v: 1, type: 'awake', run: owner } satisfies Awake);
    const work = engine.drain.wake(message.why === 'timer' ? 'timer' : 'person');
    event.waitUntil(atMost(system, eventMs, work));
  });
}
