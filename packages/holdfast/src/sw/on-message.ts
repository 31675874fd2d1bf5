import { readMessage, type Awake } from '../core/messages';
import type { Engine } from '../flow/engine';
import type { Underway } from './underway';

declare const self: ServiceWorkerGlobalScope;

/** Pages are the worker's clock: each "wake" keeps it alive until the queue has had its turn. */
export function onMessages(engine: Engine, underway: Underway): void {
  const { config, owner } = engine.context;
  self.addEventListener('message', (event) => {
    const message = readMessage(event.data, config.name);
    if (message?.type === 'abandon') underway.abandon(message.key);
    if (message?.type !== 'wake') return;
    // The answer tells the page that somebody is here who drains; a worker without Holdfast says nothing.
    event.ports[0]?.postMessage({ v: 1, type: 'awake', run: owner } satisfies Awake);
    event.waitUntil(engine.drain.wake(message.why === 'timer' ? 'timer' : 'person'));
  });
}
