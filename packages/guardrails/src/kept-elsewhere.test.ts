import {
  type AttemptStore,
  type CallContext,
  createContract,
  createMemoryStore,
} from "@toolcontract/core";
import { createLocalStore } from "@toolcontract/stores";
import { describe, expect, test } from "vitest";
import { Outcome, createGuardrails } from "./index.ts";

const tool = { name: "order", inputSchema: { type: "object" } } as const;
const call = { id: "call_1", name: "order", arguments: { sku: "A-1" } };

/** Stores that processes share: one hands objects on, and one keeps text, as databases do. */
const STORES = {
  "of objects": createMemoryStore,
  "of text": () => {
    const entries = new Map<string, string>();
    return createLocalStore({
      get: (key) => entries.get(key),
      set: (key, text) => void entries.set(key, text),
      delete: (key) => void entries.delete(key),
    });
  },
};

describe.each(Object.entries(STORES))("results in records %s", (_, createStore) => {
  function open(keepResults = true) {
    const records = createStore();
    const runs: string[] = [];
    return {
      runs,
      /** Makes the call, in a process of its own. */
      make: async (execute: () => unknown, context: Partial<CallContext> = {}) => {
        const guardrails = createGuardrails({
          guardrails: [],
          effects: { order: "irreversible" },
          records,
          keepResults,
        });
        const contract = createContract({ guardrails, logger: false });
        const place = { tool, conversationId: "t", runId: "r", turnId: "1" };
        const run = (): unknown => {
          runs.push("ran");
          return execute();
        };
        return contract.handle(call, { ...place, ...context, execute: run });
      },
    };
  }

  test.each<[string, unknown]>([
    ["a string", "ordered"],
    ["an empty string", ""],
    ["nothing", undefined],
    ["null", null],
    ["an object", { order: 7, lines: [{ sku: "A-1", quantity: 2 }], note: null }],
    ["a result of MCP", { content: [{ type: "text", text: "ordered" }], structuredContent: {} }],
    ["a long text", 'é"\\'.repeat(10_000)],
  ])("answer the same call in another process: %s", async (__, returned) => {
    const { make, runs } = open();
    const first = await make(() => returned);
    const again = await make(() => expect.unreachable());
    expect(again).toEqual(first);
    expect(again).toMatchObject({ status: "executed", output: returned });
    expect(runs).toEqual(["ran"]);
  });

  test("are text where they are not plain data", async () => {
    const { make } = open();
    const first = await make(() => [new Date(0)]);
    const again = await make(() => expect.unreachable());
    expect(again.result).toEqual(first.result);
  });

  test.each<[string, boolean, () => unknown]>([
    ["if nobody asked for it", false, () => "ordered"],
    ["of more than 64 kB", true, () => "x".repeat(66_000)],
    ["that is a stream", true, () => new ReadableStream()],
    ["that can be read once", true, () => [1].values()],
  ])("are not kept %s: the model reads that it ran", async (__, keepResults, execute) => {
    const { make, runs } = open(keepResults);
    await make(execute);
    const again = await make(() => expect.unreachable());
    expect(again.result.content).toContain("has run and need not be called again");
    expect(runs).toEqual(["ran"]);
  });

  test.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw Object.assign(new Error("read timeout"), { code: "ETIMEDOUT" });
      },
    ],
    ["says that it failed", () => Outcome.error("closed", "The bank is closed")],
    ["returns an error", () => ({ content: [{ type: "text", text: "declined" }], isError: true })],
  ])("are none of a tool that %s: nobody knows what it did", async (__, execute) => {
    const { make, runs } = open();
    await make(execute);
    const again = await make(() => expect.unreachable());
    expect(again).toMatchObject({ status: "blocked" });
    expect(again.result.content).toContain("GRD-006");
    expect(runs).toEqual(["ran"]);
  });

  test("are nobody else's", async () => {
    const { make, runs } = open();
    await make(() => "Ann's");
    for (const context of [{ context: { user: "bob" } }, { conversationId: "u" }, { runId: "q" }])
      expect(await make(() => "own", context)).toMatchObject({ output: "own" });
    expect(runs).toHaveLength(4);
  });
});

test("what somebody else has written in place of a result is not one", async () => {
  const memory = createMemoryStore();
  const records: AttemptStore = {
    ...memory,
    get(key) {
      const state = memory.get(key);
      return state && { ...state, kept: 7 };
    },
  };
  const make = async () => {
    const effects = { order: "irreversible" } as const;
    const guardrails = createGuardrails({ guardrails: [], effects, records, keepResults: true });
    const contract = createContract({ guardrails, logger: false });
    const place = { tool, conversationId: "t", runId: "r", turnId: "1" };
    return contract.handle(call, { ...place, execute: () => "ordered" });
  };
  expect(await make()).toMatchObject({ output: "ordered" });
  expect((await make()).result.content).toContain("no longer kept");
});

test("keepResults without records is a mistake", () => {
  expect(() => createGuardrails({ guardrails: [], keepResults: true })).toThrow(
    "createGuardrails: `keepResults` says what `records` keeps, and there are none: pass `records` too.",
  );
});
