import type { createClient } from "redis";
import { UsageError } from "./failure.ts";
import { loadPeer } from "./load-peer.ts";
import type { Log } from "./log.ts";
import type { OpenStore } from "./open-store.ts";

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

/** How long a connection may take before it is tried again. */
const CONNECT_MS = 2_000;

/**
 * Opens a store in Redis, and connects in the background: calls that must be counted meanwhile wait for the time limit of
 * the store, and others not at all.
 *
 * @remarks A server that cannot be reached ends nothing: calls are counted in this process until it can.
 * @throws UsageError if the package `redis` is not installed, or it cannot read the URL.
 */
export async function openRedis(
  url: string,
  { idleTime, maxAttempts }: { readonly idleTime: number; readonly maxAttempts: number },
  log: Pick<Log, "info" | "warn">,
  load: () => Promise<RedisModule> = loadRedis,
): Promise<OpenStore> {
  const client = redisClient(await loadPeer("redis", load), url);
  const said = watch(client, log);
  // While the client tries again, commands fail at once.
  const tried = new Promise<void>((resolve) => {
    client.on("error", () => resolve());
    client.on("ready", resolve);
  });
  client.on("ready", () => void compareLimits(client, { idleTime, maxAttempts }, log));
  client.connect().catch(() => undefined);
  const { redisStore } = await import("@toolcontract/stores/redis");
  const sendCommand = async (...args: string[]): Promise<unknown> => {
    await tried;
    try {
      const answer = await client.sendCommand(args);
      said.answered();
      return answer;
    } catch (thrown) {
      said.refused(thrown);
      throw thrown;
    }
  };
  return { store: redisStore({ sendCommand, idleTime }), close: () => client.destroy() };
}

const LIMITS = "toolcontract:max-attempts";

/**
 * Warns of a replica that allows another number of attempts: the two would answer one conversation by different limits. What
 * the first one allows is forgotten with the attempts.
 */
async function compareLimits(
  { sendCommand }: Pick<RedisClient, "sendCommand">,
  { idleTime, maxAttempts }: { readonly idleTime: number; readonly maxAttempts: number },
  log: Pick<Log, "warn">,
): Promise<void> {
  try {
    await sendCommand(["SET", LIMITS, `${maxAttempts}`, "NX", "PX", `${idleTime}`]);
    const others = Number(await sendCommand(["GET", LIMITS]));
    if (!Number.isInteger(others) || others < 1 || others === maxAttempts) return;
    log.warn("Another replica on this store has other --max-attempts: give all the same", {
      own: maxAttempts,
      other: others,
    });
  } catch {
    // A store that is away or refuses is reported where calls are counted.
  }
}

async function loadRedis(): Promise<RedisModule> {
  return import("redis");
}

function redisClient({ createClient }: RedisModule, url: string): RedisClient {
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

/** Logs each change once: the client tries to connect again and again, and every call asks. */
function watch(
  client: RedisClient,
  log: Pick<Log, "info" | "warn">,
): { readonly answered: () => void; readonly refused: (thrown: unknown) => void } {
  let lost: string | undefined;
  let refused: string | undefined;
  client.on("error", (error) => {
    const code = redisErrorCode(error);
    if (lost === code) return;
    lost = code;
    log.warn("The store cannot be reached: attempts are counted in this process", { code });
  });
  client.on("ready", () => {
    lost = undefined;
    log.info("The store is connected");
  });
  return {
    answered: () => (refused = undefined),
    refused(thrown) {
      const word = thrown instanceof Error ? wordOf(thrown) : undefined;
      // Such a script is sent whole at once.
      if (word === undefined || word === refused || word === "NOSCRIPT") return;
      refused = word;
      log.warn("The store refuses to count: attempts are counted in this process", { code: word });
    },
  };
}

function redisErrorCode(error: Error): string {
  return "code" in error ? String(error.code) : (wordOf(error) ?? error.name);
}

/** The word with which Redis begins an error, such as WRONGPASS, OOM or READONLY; the rest may hold a key. */
function wordOf({ message }: Error): string | undefined {
  return /^[A-Z]{2,20}(?= )/.exec(message)?.[0];
}
