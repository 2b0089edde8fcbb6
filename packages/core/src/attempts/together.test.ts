import { describe, expect, test } from "vitest";
import type { CallContext } from "../call/index.ts";
import { createContract } from "../contract/index.ts";
import { createMemoryStore } from "./memory-store.ts";
import { createRetryTracker } from "./retry-tracker.ts";

const tool = { name: "pay", inputSchema: { required: ["amount"] } };

describe("calls of a host that names no turns, with `together`", () => {
  /** Two contracts on one store, as two replicas have them, with one clock. */
  function replicas() {
    const time = { now: 1_000 };
    const store = createMemoryStore();
    const contracts = [0, 1].map(() =>
      createContract({ store, clock: () => time.now, logger: false, maxAttempts: 9 }),
    );
    const call = async (replica: number, args: string, more: Partial<CallContext> = {}) => {
      const context = {
        tool,
        conversationId: "chat",
        together: 100,
        execute: () => "paid",
        ...more,
      };
      const sent = { id: `call-${args}`, name: "pay", arguments: args };
      const handled = await contracts[replica]?.handle(sent, context);
      return handled?.status === "rejected" ? handled.attempt : handled?.status;
    };
    return { time, call };
  }

  test("are one attempt on all replicas within the window, and another after it", async () => {
    const { time, call } = replicas();
    expect(await Promise.all([call(0, '{"a":1}'), call(1, '{"b":1}'), call(0, '{"c":1}')])).toEqual(
      [1, 1, 1],
    );
    time.now += 99;
    expect(await call(1, '{"d":1}')).toBe(1);
    time.now += 1;
    expect(await call(1, '{"e":1}')).toBe(2);
  });

  test("are another attempt if the same call comes again, and count from when they arrived", async () => {
    const { time, call } = replicas();
    expect(await call(0, '{"a":1}')).toBe(1);
    expect(await call(1, '{"a":1}')).toBe(2);
    const arrived = time.now;
    time.now += 5_000;
    expect(await call(0, '{"b":1}', { at: arrived })).toBe(2);
    expect(await call(0, '{"b":1}')).toBe(3);
  });

  test.each([
    ["together", "100"],
    ["at", Number.NaN],
  ])("a `%s` that is not a number is an error at once", async (name, value) => {
    const { call } = replicas();
    await expect(call(0, "{}", { [name]: value })).rejects.toThrow(
      `contract.handle: \`${name}\` must be a number of milliseconds.`,
    );
  });
});

test("a program that waits for each answer begins again with each success", async () => {
  let now = 1_000;
  const clock = (): number => now;
  const tracker = createRetryTracker({ scope: "run", maxAttempts: 3, clock });
  const key = { conversationId: "c", toolName: "t" };
  for (const [index, hash] of ["a", "b", "c", "d"].entries()) {
    const call = { together: 100, at: now, turnId: `bad-${index}` };
    const failed = await tracker.recordFailure(key, { ...call, argumentsHash: hash, errors: [] });
    expect(failed.attempt).toBe(1);
    now += 25;
    const valid = { together: 100, at: now, turnId: `good-${index}` };
    expect((await tracker.recordValid(key, valid)).turnAttempt).toBe(2);
    const parallel = { ...valid, turnId: `other-${index}` };
    expect((await tracker.recordValid(key, parallel)).turnAttempt).toBe(1);
    now += 25;
  }
});
