import { openRaw, putInTurn } from '../raw-idb';
import { atMost, noteRequest, takeOrders } from './orders';

takeOrders({
  put: async ({ count, durability }) => putInTurn(await openRaw(), durability, count),
  send: ({ count, width }) => atMost(count, width, async (number) => (await fetch(noteRequest(number))).text()),
});
