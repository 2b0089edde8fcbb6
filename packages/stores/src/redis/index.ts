// Attempts in Redis or Valkey, for any number of processes: @toolcontract/stores/redis.

export { type RedisStoreOptions, redisStore } from "./redis-store.ts";
