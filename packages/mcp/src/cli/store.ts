import type { AttemptStore } from "@toolcontract/core";
import type { createClient } from "redis";
import { UsageError } from "./failure.ts";
import type { Settings } from "./flags.ts";
import type { Log } from "./log.ts";

/** A store that processes share, and its connection. */
export interface OpenStore {
  readonly store: AttemptStore;
  readonly close: () => void;
}

type StoreSettings = Pick<Settings, "store" | "attempt-window" | "store-timeout">;

type RedisClient = Pick<ReturnType<typeof createClient>, "sendCommand" | "connect" | "destroy"> & {
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "ready", listener: () => void): unknown;
};

/** What is used of the package `redis`. */
export interface RedisModule {
  readonly createClient: (options: {
    url: string;
    disableOfflineQueue: true;
    socket: { connectTimeout: number };
  }) => RedisClient;
}

/** How long the first connection may take before calls are counted without it, and each later one before it is given up. */
const CONNECT_MS = 2_000;

/**
 * Opens the store of `--store`; undefined without one.
 *
 * @remarks A server that cannot be reached ends nothing: calls are counted in this process until it can.
 * @throws UsageError if the package `redis` is not installed, or the URL is none that it can read.
 */
export async function openStore(
  { store: url, "attempt-window": idleTime, "store-timeout": timeLimit }: StoreSettings,
  log: Pick<Log, "info" | "warn">,
  load: () => Promise<RedisModule> = loadRedis,
): Promise<OpenStore | undefined> {
  if (url === undefined) return undefined;
  if (idleTime === 0) throw new UsageError("--store needs an --attempt-window above 0");
  if (timeLimit === 0) throw new UsageError("--store needs a --store-timeout above 0");
  const client = clientOf(await loaded(load), url);
  watch(client, log);
  const connected = client.connect().then(
    () => true,
    () => false,
  );
  await Promise.race([connected, pause(CONNECT_MS)]);
  const [{ withFallback }, { redisStore }] = await Promise.all([
    import("@toolcontract/stores"),
    import("@toolcontract/stores/redis"),
  ]);
  const sendCommand = async (...args: string[]): Promise<unknown> => client.sendCommand(args);
  return {
    store: withFallback(redisStore({ sendCommand, idleTime }), { timeLimit }),
    close: () => client.destroy(),
  };
}

async function loadRedis(): Promise<RedisModule> {
  return import("redis");
}

async function loaded(load: () => Promise<RedisModule>): Promise<RedisModule> {
  try {
    return await load();
  } catch (thrown) {
    if (!(thrown instanceof Error) || !("code" in thrown)) throw thrown;
    if (thrown.code !== "ERR_MODULE_NOT_FOUND" && thrown.code !== "MODULE_NOT_FOUND") throw thrown;
    throw new UsageError(
      "--store needs the package redis beside this one: npm install redis, or npx -y -p redis -p @toolcontract/mcp toolcontract-mcp …",
    );
  }
}

function clientOf({ createClient }: RedisModule, url: string): RedisClient {
  try {
    return createClient({
      url,
      // A queue would make each call wait for its time limit while the server is away.
      disableOfflineQueue: true,
      socket: { connectTimeout: CONNECT_MS },
    });
  } catch {
    // Not the URL itself: it may hold a password.
    throw new UsageError("--store must be a URL such as redis://127.0.0.1:6379/0");
  }
}

/** Logs each change once: the client tries to connect again and again. */
function watch(client: RedisClient, log: Pick<Log, "info" | "warn">): void {
  let reported: string | undefined;
  client.on("error", (error) => {
    const code = "code" in error ? String(error.code) : error.name;
    if (reported === code) return;
    reported = code;
    log.warn("The store cannot be reached: attempts are counted in this process", { code });
  });
  client.on("ready", () => {
    reported = undefined;
    log.info("The store is connected");
  });
}

async function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
