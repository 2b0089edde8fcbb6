// The public API of @toolcontract/redis.

export { type RedisStoreOptions, redisStore } from "./redis-store.ts";
