// For page and worker alike.
self.outboxConfig = holdfast.defineOutbox({
  name: 'notes',
  routes: [{ name: 'notes', match: '/api/notes', methods: ['POST'] }],
});
