import type { AttemptStore } from "@toolcontract/core";
import type { Cluster, Redis } from "ioredis";
import type { Redis as Valkey } from "iovalkey";
import type { createClient, createCluster } from "redis";
import { describe, expectTypeOf, test } from "vitest";
import { redisStore } from "./index.ts";

/** What is used of @valkey/valkey-glide, whose client is native. */
interface Glide {
  customCommand(args: string[], options?: object): Promise<unknown>;
}

describe("each line of the README compiles", () => {
  test("redis", () => {
    const line = (client: ReturnType<typeof createClient>): AttemptStore =>
      redisStore({ sendCommand: (...args) => client.sendCommand(args) });
    expectTypeOf(line).returns.toEqualTypeOf<AttemptStore>();
  });
  test("a cluster of redis", () => {
    const line = (cluster: ReturnType<typeof createCluster>): AttemptStore =>
      redisStore({ sendCommand: (...args) => cluster.sendCommand(args[3], false, args) });
    expectTypeOf(line).returns.toEqualTypeOf<AttemptStore>();
  });
  test("ioredis and iovalkey", () => {
    const line = (client: Redis | Cluster | Valkey): AttemptStore =>
      redisStore({ sendCommand: (command, ...args) => client.call(command, ...args) });
    expectTypeOf(line).returns.toEqualTypeOf<AttemptStore>();
  });
  test("@valkey/valkey-glide", () => {
    const line = (client: Glide): AttemptStore =>
      redisStore({ sendCommand: (...args) => client.customCommand(args) });
    expectTypeOf(line).returns.toEqualTypeOf<AttemptStore>();
  });
});
