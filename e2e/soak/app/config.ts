import { defineOutbox } from 'holdfast';

/** Half of the writes in lanes, half in no order; room for all of them. */
export const config = defineOutbox({
  name: 'soak',
  routes: [
    { name: 'lane', match: '/api/lane/:lane', lane: 'lane-:lane' },
    { name: 'loose', match: '/api/loose', lane: null },
  ],
  limits: { entries: 1_000_000, perLane: 1_000_000 },
});
