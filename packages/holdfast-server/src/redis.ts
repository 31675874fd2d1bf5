export { redisStore } from './stores/redis';
export type { RedisClient, RedisStoreOptions } from './stores/redis';
