import { BackgroundSyncPlugin } from 'workbox-background-sync';
import type { WorkboxPlugin } from 'workbox-core/types.js';
import { registerRoute } from 'workbox-routing';
import { NetworkOnly } from 'workbox-strategies';
import type { Told } from '../intent.ts';
import { followClock, recallClock, trueTime } from './clock.ts';
import { installShell } from './shell.ts';
import { tell } from './tell.ts';

followClock();
void recallClock();

/** Comes after the library's own: it is heard only when that has put the request into its queue. */
const afterwards = {
  async fetchDidFail({ request }: { request: Request }): Promise<void> {
    const { told, ...about } = (await request.json()) as Omit<Told, 'door' | 'kind' | 'toldAt'> & { told: string };
    void tell(told, { ...about, door: 'worker', kind: 'queued', toldAt: trueTime() });
  },
};

const queue = new BackgroundSyncPlugin('chaos', { maxRetentionTime: 7 * 24 * 60 }) as WorkboxPlugin;
registerRoute(({ url }) => url.pathname.startsWith('/api/'), new NetworkOnly({ plugins: [queue, afterwards] }), 'POST');
installShell();
