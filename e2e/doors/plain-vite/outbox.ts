import { defineOutbox } from 'holdfast';

/** For page and worker alike. */
export const config = defineOutbox({
  name: 'notes',
  routes: [{ name: 'notes', match: '/api/notes', methods: ['POST'] }],
});
