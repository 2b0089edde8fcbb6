import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { oneInThree } from "@toolcontract/case-table/whole";
import { startRedis, WHY_NO_REDIS } from "@toolcontract/redis-server";
import { afterAll, beforeAll, describe, test } from "vitest";
import { describeLedger, describeStore } from "../cases/index.ts";
import { CLIENTS, type Connection } from "../testing/clients.ts";
import { redisLedger, redisStore } from "./index.ts";

const COUNTING = fileURLToPath(new URL("../testing/counting-process.ts", import.meta.url));
const SPENDING = fileURLToPath(new URL("../testing/spending-process.ts", import.meta.url));
const run = promisify(execFile);

// The gate of the tests says once that there is no server.
describe.skipIf(WHY_NO_REDIS)("Redis does what every store must do", () => {
  let server: Awaited<ReturnType<typeof startRedis>>;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(async () => server.stop());

  describe.each(oneInThree(CLIENTS))("with %s", (name, connect) => {
    let client: Connection;
    let places = 0;
    beforeAll(async () => {
      client = await connect(server.url);
    });
    afterAll(async () => client.close());

    async function each(prefix: string, command: string, ...args: string[]): Promise<void> {
      const keys = (await client.sendCommand("KEYS", `${prefix}*`)) as readonly string[];
      for (const key of keys) await client.sendCommand(command, key, ...args);
    }

    describeStore(
      {
        place: () => `${name}:${(places += 1)}:`,
        open: (prefix) => redisStore({ ...client, prefix }),
        clear: async (prefix) => each(prefix, "DEL"),
        poison: async (prefix, value) => each(prefix, "SET", value),
        async fork(prefix, job) {
          const args = [COUNTING, server.url, prefix, JSON.stringify(job), name];
          return JSON.parse((await run(process.execPath, args)).stdout);
        },
      },
      test,
    );

    describeLedger(
      {
        place: () => `${name}:ledger:${(places += 1)}:`,
        open: (prefix) => redisLedger({ ...client, prefix }),
        async fork(prefix, job) {
          const args = [SPENDING, server.url, prefix, JSON.stringify(job), name];
          return JSON.parse((await run(process.execPath, args)).stdout);
        },
      },
      test,
    );
  });
});
