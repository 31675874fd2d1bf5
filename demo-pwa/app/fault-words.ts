import type { FaultMode } from '../wire';

/** What a person can do to the server, in the order of the drawer, and what will be seen. `crash` is for tests. */
export const faultWords: readonly { readonly mode: FaultMode; readonly name: string; readonly what: string }[] = [
  { mode: 'ok', name: 'All well', what: 'The API answers as it should.' },
  { mode: 'refuse', name: 'Refuse', what: 'Every connection to the API is cut at once, as if it were not there.' },
  { mode: 'reset-before', name: 'Cut before', what: 'The request arrives, then the line breaks. Nothing was done.' },
  {
    mode: 'reset-after',
    name: 'Cut after',
    what: 'The work is done and the line breaks before the answer. The next attempt must not do it again.',
  },
  { mode: 'hang', name: 'Hang', what: 'The API takes the request and never answers.' },
  { mode: '503', name: '503', what: 'Down for maintenance, with Retry-After.' },
  { mode: '429', name: '429', what: 'Too many requests, with Retry-After.' },
  { mode: '500', name: '500', what: 'The API fails on everything.' },
  { mode: 'captive', name: 'Captive portal', what: 'A Wi-Fi login page answers in place of the API, with 200.' },
  { mode: 'slow', name: 'Slow', what: 'Answers come four seconds late.' },
];
