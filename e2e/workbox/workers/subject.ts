/**
 * What the suite is about: the build of each worker puts `workbox-background-sync` or `holdfast/workbox` in this module's
 * place. Both must fit the original's types.
 */
export { BackgroundSyncPlugin, Queue, QueueStore, StorableRequest } from 'workbox-background-sync';
