// Attempts and limits in Redis or Valkey, for any number of processes: @toolcontract/stores/redis.

export { type RedisLedgerOptions, redisLedger } from "./redis-ledger.ts";
export { type RedisStoreOptions, redisStore } from "./redis-store.ts";
