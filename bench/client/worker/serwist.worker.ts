import { Queue } from '@serwist/background-sync';
import { takeOrders } from './orders';
import { queueOrders } from './queue-orders';

const waits = { onSync: () => Promise.resolve() };
const shipped = new Queue('shipped', waits);
const stubbed = new Queue('stubbed', waits);
stubbed.registerSync = () => Promise.resolve();

takeOrders(queueOrders(shipped, stubbed));
