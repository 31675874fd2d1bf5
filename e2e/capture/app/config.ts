import { defineOutbox } from 'holdfast';

/** Another origin whose server takes the key: named in the address, since its port is known only to the test. */
const friend = new URLSearchParams(location.search).get('friend');

/** For page and worker alike. `/__echo/plain` is no route's. */
export const config = defineOutbox({
  name: 'capture',
  routes: [
    { name: 'kept', match: '/__echo/kept', methods: ['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'], lane: null },
    { name: 'ahead', match: '/__echo/ahead', lane: null, capture: 'write-ahead' },
    { name: 'doomed', match: '/__echo/doomed', lane: null, capture: 'write-ahead', timeoutMs: 2_000 },
    { name: 'slow', match: '/__echo/slow', lane: null, timeoutMs: 500 },
    { name: 'form', match: '/__echo/form', lane: null, reply: { redirect: '/saved' } },
    { name: 'error', match: '/__echo/error', lane: null, reply: 'error' },
    {
      name: 'own',
      match: '/__echo/own',
      lane: null,
      reply: (entry) => new Response(entry.id, { status: 209, headers: { 'x-own': 'yes' } }),
    },
    { name: 'moved', match: '/__echo/moved', lane: null, redirects: 'accept' },
    { name: 'lane', match: '/__echo/lane/:name', lane: ':name' },
    { name: 'docs', match: '/__echo/docs', lane: null, sendAge: true },
    {
      name: 'read',
      match: '/__echo/read',
      lane: null,
      // Reads what the page reads too.
      classify: async (answer) => void (await answer.text()),
    },
    {
      name: 'signed',
      match: '/__echo/signed',
      lane: null,
      refresh: async () => (await fetch('/__echo/plain?run=refresh', { method: 'POST' })).ok,
    },
    { name: 'elsewhere', match: (request) => request.path === '/__echo/elsewhere', lane: null },
  ],
  key: { crossOrigin: friend ? [friend] : [] },
  limits: { bodyBytes: 2_000_000 },
});
