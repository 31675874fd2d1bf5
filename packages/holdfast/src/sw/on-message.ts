import { readMessage } from '../core/messages';
import type { Engine } from '../flow/engine';

declare const self: ServiceWorkerGlobalScope;

/** Pages are the worker's clock: each "wake" keeps it alive until the queue has had its turn. */
export function onMessages(engine: Engine): void {
  self.addEventListener('message', (event) => {
    const message = readMessage(event.data, engine.context.config.name);
    if (message?.type !== 'wake') return;
    // The answer tells the page that somebody is here who drains; a worker without Holdfast says nothing.
    event.ports[0]?.postMessage({ v: 1, type: 'awake' });
    event.waitUntil(engine.drain.wake(message.why === 'timer' ? 'timer' : 'person'));
  });
}
