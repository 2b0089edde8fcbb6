import { UsageError } from "./failure.ts";
import type { Settings } from "./flags.ts";
import type { Log } from "./log.ts";
import type { OpenStore } from "./open-store.ts";
import type { RedisModule } from "./redis-attempts.ts";

type StoreSettings = Pick<Settings, "store" | "attempt-window" | "store-timeout" | "max-attempts">;

/**
 * Opens the store of `--store`, in Redis, in Postgres or in a file of SQLite; undefined without one.
 *
 * @throws UsageError if it cannot be opened.
 */
export async function openStore(
  settings: StoreSettings,
  log: Pick<Log, "info" | "warn">,
  loadRedis?: () => Promise<RedisModule>,
): Promise<OpenStore | undefined> {
  const { store: name, "attempt-window": idleTime, "store-timeout": timeLimit } = settings;
  if (name === undefined) return undefined;
  if (idleTime === 0) throw new UsageError("--store needs an --attempt-window above 0");
  if (timeLimit === 0) throw new UsageError("--store needs a --store-timeout above 0");
  const { store, close } = await openEngine(name, settings, log, loadRedis);
  const { withFallback } = await import("@toolcontract/stores");
  return { store: withFallback(store, { timeLimit }), close };
}

/** Opens the store alone, which waits and fails as its client does. */
export async function openEngine(
  name: string,
  { "attempt-window": idleTime, "max-attempts": maxAttempts }: StoreSettings,
  log: Pick<Log, "info" | "warn">,
  loadRedis?: () => Promise<RedisModule>,
): Promise<OpenStore> {
  if (/^postgres(?:ql)?:/.test(name)) {
    const { openPostgres } = await import("./postgres-attempts.ts");
    return openPostgres(name, idleTime, log);
  }
  if (!/^rediss?:/.test(name)) {
    const { openSqlite } = await import("./sqlite-attempts.ts");
    return openSqlite(name, idleTime);
  }
  const { openRedis } = await import("./redis-attempts.ts");
  return openRedis(name, { idleTime, maxAttempts: Number(maxAttempts) }, log, loadRedis);
}
