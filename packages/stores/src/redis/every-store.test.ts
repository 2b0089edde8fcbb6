import { oneInThree } from "@toolcontract/case-table/whole";
import { startRedis, WHY_NO_REDIS } from "@toolcontract/redis-server";
import { afterAll, beforeAll, describe, test } from "vitest";
import { describeLedger, describeStore } from "../cases/index.ts";
import { CLIENTS, type Connection } from "../testing/clients.ts";
import { countInProcess, spendInProcess } from "../testing/run-process.ts";
import { redisLedger, redisStore } from "./index.ts";

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
        fork: async (prefix, job) => countInProcess({ client: name, url: server.url, prefix }, job),
      },
      test,
    );

    describeLedger(
      {
        place: () => `${name}:ledger:${(places += 1)}:`,
        open: (prefix) => redisLedger({ ...client, prefix }),
        fork: async (prefix, job) => spendInProcess({ client: name, url: server.url, prefix }, job),
      },
      test,
    );
  });
});
