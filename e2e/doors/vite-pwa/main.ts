import { openOutbox } from 'holdfast/page';
import 'holdfast/panel/define';
import type { OutboxPanel } from 'holdfast/panel';
import { config } from './outbox';

const outbox = openOutbox(config);
document.querySelector<OutboxPanel>('outbox-panel')!.outbox = outbox;

// The app's code stays as it is: a plain fetch, which the worker keeps when it cannot be delivered.
document.querySelector('form')!.addEventListener('submit', (event) => {
  event.preventDefault();
  const text = new FormData(event.target as HTMLFormElement).get('text');
  void fetch('/api/notes', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: crypto.randomUUID(), text }),
  });
});

void navigator.serviceWorker.register('/sw.js');
Object.assign(window, { outbox });
