import type { ContractOptions } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { type GatedServer, gatedServer, serverOf, textOf } from "../testing/gated-server.ts";
import type { GateSettings } from "./options.ts";

const inputSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const tools = [
  { name: "count", inputSchema },
  { name: "double", inputSchema },
];

function shop(options: ContractOptions & GateSettings = {}) {
  let now = 0;
  const server = gatedServer(serverOf(tools), { clock: () => now, ...options });
  return {
    server,
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

/** The attempt in the answer to a call, or 0 if the call was forwarded. */
async function attempt(
  server: GatedServer,
  n: unknown,
  name = "count",
  link = server.link(),
): Promise<number> {
  const text = textOf(await server.call(name, { n }, link));
  return Number(/(?:attempt|blocked after) (\d)\/3/.exec(text)?.[1] ?? 0);
}

describe("attempts without turns", () => {
  test("calls in parallel are one attempt", async () => {
    const { server, wait } = shop();
    const together = async (): Promise<readonly number[]> =>
      Promise.all(["one", "two", "three"].map(async (n) => attempt(server, n)));
    expect(await together()).toEqual([1, 1, 1]);
    wait(100);
    expect(await together()).toEqual([2, 2, 2]);
  });

  test("a second call less than 100 ms after the first answer belongs to the same attempt", async () => {
    const { server, wait } = shop();
    expect(await attempt(server, "one")).toBe(1);
    wait(99);
    expect(await attempt(server, "two")).toBe(1);
    wait(1);
    expect(await attempt(server, "three")).toBe(2);
  });

  test("a repeated call is a new attempt, however soon", async () => {
    const { server } = shop();
    expect(await attempt(server, "one")).toBe(1);
    expect(await attempt(server, "one")).toBe(2);
    expect(await attempt(server, "one")).toBe(3);
  });

  test("with a window of 0, calls read before the first answer still share an attempt", async () => {
    const { server } = shop({ coalesceMs: 0 });
    const both = await Promise.all([attempt(server, "one"), attempt(server, "two")]);
    expect(both).toEqual([1, 1]);
    expect(await attempt(server, "three")).toBe(2);
  });

  test("one good and one bad call in every turn still use up the attempts", async () => {
    const { server, wait } = shop();
    const turn = async (bad: string): Promise<readonly number[]> => {
      wait(1_000);
      return Promise.all([attempt(server, 1), attempt(server, bad)]);
    };
    expect([await turn("one"), await turn("two"), await turn("three")]).toEqual([
      [0, 1],
      [0, 2],
      [0, 3],
    ]);
  });

  test("a program that waits for each answer begins again with each success", async () => {
    const { server, wait } = shop();
    for (const bad of ["one", "two", "three", "four", "five"]) {
      expect(await attempt(server, bad)).toBe(1);
      wait(25);
      expect(await attempt(server, 1)).toBe(0);
      wait(25);
    }
    const { calls, rejected, recovered } = server.gate.contract.metrics();
    expect({ calls, rejected, recovered }).toEqual({ calls: 10, rejected: 5, recovered: 5 });
  });

  test("a failure has one recovery, however many calls succeed at once after it", async () => {
    const { server, wait } = shop();
    for (const bad of ["one", "two"]) {
      await attempt(server, bad);
      wait(1_000);
      await Promise.all([1, 2, 3].map(async (n) => attempt(server, n)));
      wait(5);
      await attempt(server, 4);
      wait(1_000);
      await attempt(server, 5);
      wait(1_000);
    }
    expect(server.gate.contract.metrics().recovered).toBe(2);
  });

  test("a turn of valid calls resets the attempts", async () => {
    const { server, wait } = shop();
    expect(await attempt(server, "one")).toBe(1);
    wait(1_000);
    expect(await attempt(server, 1)).toBe(0);
    wait(1_000);
    expect(await attempt(server, "two")).toBe(1);
  });

  test("ten idle minutes reset the attempts of the idle tool alone", async () => {
    const { server, wait } = shop();
    expect(await attempt(server, "one")).toBe(1);
    wait(599_999);
    expect(await attempt(server, "two")).toBe(2);
    expect(await attempt(server, "two", "double")).toBe(1);
    wait(300_000);
    expect(await attempt(server, "three", "double")).toBe(2);
    wait(300_000);
    expect(await attempt(server, "four", "double")).toBe(3);
    expect(await attempt(server, "four")).toBe(1);
  });

  test("conversations are counted separately, and so are tools", async () => {
    const { server, wait } = shop();
    const other = server.link({ attemptKey: "another" });
    expect(await attempt(server, "one")).toBe(1);
    wait(1_000);
    expect(await attempt(server, "one", "double")).toBe(1);
    expect(await attempt(server, "one", "count", other)).toBe(1);
    wait(1_000);
    expect(await attempt(server, "two")).toBe(2);
  });

  test("a link without an attempt key counts too", async () => {
    const { server } = shop();
    expect(await attempt(server, "one", "count", server.link({ attemptKey: "" }))).toBe(1);
  });

  test("rejections by the server count like ours", async () => {
    let now = 0;
    const refuse = gatedServer(
      serverOf(tools, ({ id }) => ({
        jsonrpc: "2.0",
        id,
        error: { code: -32602, message: "Input validation error" },
      })),
      { clock: () => now },
    );
    expect(await attempt(refuse, "1")).toBe(1);
    now += 1_000;
    expect(await Promise.all([attempt(refuse, "2"), attempt(refuse, "two")])).toEqual([2, 2]);
    now += 1_000;
    expect(await attempt(refuse, null)).toBe(3);
  });

  test("invented names share one count", async () => {
    const { server, wait } = shop({ soft: "reject" });
    expect(await attempt(server, 1, "add")).toBe(1);
    wait(1_000);
    expect(await attempt(server, 1, "sum")).toBe(2);
  });
});
