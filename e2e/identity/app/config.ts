import { defineOutbox } from 'holdfast';

/** For page and worker alike: `?encrypt` in the address of either seals what is stored. */
export const config = defineOutbox({
  name: 'small',
  routes: [{ name: 'echo', match: '/__echo', lane: null }],
  encrypt: location.search === '?encrypt',
});
