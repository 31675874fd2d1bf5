window.outbox = holdfast.openOutbox(window.outboxConfig);
document.querySelector('outbox-panel').outbox = window.outbox;
navigator.serviceWorker.register('/sw.js');

document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault();
  const text = new FormData(event.target).get('text');
  fetch('/api/notes', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: crypto.randomUUID(), text }),
  });
});
