import { defineOutbox } from 'holdfast';

/** For page and worker alike. Waits are short: that something is sent at all is the question here, not when. */
export const config = defineOutbox({
  name: 'platforms',
  routes: [
    {
      name: 'echo',
      match: '/__echo',
      lane: null,
      retry: { backoff: { baseMs: 300, factor: 2, capMs: 1_000, jitter: 'full' } },
    },
  ],
});
