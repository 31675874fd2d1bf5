import { openOutbox } from 'holdfast/page';
import { workboxOutbox } from 'holdfast/workbox';

/** What an app adds to its page to show what its queues hold. */
Object.assign(self, { outbox: openOutbox(workboxOutbox) });
