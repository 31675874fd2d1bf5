import { defineOutbox } from 'holdfast';
import { openOutbox } from 'holdfast/page';

export const config = defineOutbox({
  name: 'notes',
  routes: [{ name: 'notes', match: '/api/notes', methods: ['POST'] }],
});

/** None on a server, which has nothing to send. */
export const outbox = typeof document === 'undefined' ? null : openOutbox(config);
