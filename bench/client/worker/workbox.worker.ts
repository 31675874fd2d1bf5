import { BackgroundSyncPlugin, Queue } from 'workbox-background-sync';
import { registerRoute } from 'workbox-routing';
import { NetworkOnly } from 'workbox-strategies';
import { takeOrders } from './orders';
import { queueOrders } from './queue-orders';

// The browser is online, so a sync event comes at once and would replay while the bench still enqueues.
const waits = { onSync: () => Promise.resolve() };
const shipped = new Queue('shipped', waits);
const stubbed = new Queue('stubbed', waits);
stubbed.registerSync = () => Promise.resolve();

let caught: Queue | undefined;
const plugin = new BackgroundSyncPlugin('caught', {
  onSync({ queue }) {
    caught = queue;
  },
});
registerRoute(({ url }) => url.pathname.startsWith('/api/'), new NetworkOnly({ plugins: [plugin] }), 'POST');

takeOrders({
  ...queueOrders(shipped, stubbed),
  replayCaught: async () => {
    while (!caught) await new Promise((resolve) => setTimeout(resolve, 1));
    await caught.replayRequests();
  },
});
