import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isWhole } from "@toolcontract/case-table/whole";
import { WHY_NO_REDIS, startRedis } from "@toolcontract/redis-server";
import { redisLedger, redisStore } from "@toolcontract/stores/redis";
import { describeLedger, describeStore } from "@toolcontract/stores/testing";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { restCommands } from "./send-command.ts";

type Answer = (command: readonly string[]) => Promise<unknown>;

/** Answers as Upstash does: `{ result }`, or 400 with `{ error }`. */
async function startRest(answer: Answer) {
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Uint8Array[] = [];
    for await (const part of request) parts.push(part as Uint8Array);
    try {
      if (request.headers.authorization !== "Bearer token") {
        throw new Error("WRONGPASS invalid or missing auth token");
      }
      const command = JSON.parse(Buffer.concat(parts).toString()) as readonly string[];
      response.end(JSON.stringify({ result: await answer(command) }));
    } catch (thrown) {
      response.statusCode = 400;
      response.end(JSON.stringify({ error: (thrown as Error).message }));
    }
  }
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test("a script that the server does not know is sent, and what it refuses is an error", async () => {
  const sent: unknown[] = [];
  const rest = await startRest(async ([name = ""]) => {
    sent.push(name);
    if (name === "EVALSHA") throw new Error("NOSCRIPT No matching script");
    return ["0", "0", "0"];
  });
  const sendCommand = restCommands(rest.url, "token");
  expect(await redisLedger({ sendCommand }).totals({ account: "a" })).toEqual({
    spent: 0,
    reserved: 0,
    inDoubt: 0,
  });
  expect(sent).toEqual(["EVALSHA", "EVAL"]);
  await expect(restCommands(rest.url, "other")("GET", "a")).rejects.toThrow("WRONGPASS");
  rest.stop();
});

// The gate of the tests says once that there is no server.
describe.skipIf(WHY_NO_REDIS)("a Redis over REST does what every store must do", () => {
  let [prefix, stop] = ["", async (): Promise<void> => undefined];
  let sendCommand: ReturnType<typeof restCommands>;
  beforeAll(async () => {
    const redis = await startRedis();
    const client = createClient({ url: redis.url });
    await client.connect();
    const rest = await startRest(async (command) => client.sendCommand([...command]));
    sendCommand = restCommands(rest.url, "token");
    stop = async () => {
      rest.stop();
      client.destroy();
      await redis.stop();
    };
  });
  afterAll(async () => stop());
  const place = (): string => (prefix += "x");

  // Over a socket they run every day: a command is the same there.
  describe.skipIf(!isWhole)("as a store", () => {
    describeStore({ place, open: (name) => redisStore({ sendCommand, prefix: `${name}:` }) }, test);
  });
  describeLedger({ place, open: (name) => redisLedger({ sendCommand, prefix: `${name}:` }) }, test);
});
