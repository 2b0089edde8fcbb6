import { type Contract, type ContractOptions, createContract } from "@toolcontract/core";
import { describe, expect, test, vi } from "vitest";
import type { OptionName } from "@toolcontract/core/options";
import { FILE_OPTIONS } from "./format/index.ts";
import { createProject, FILE, settings } from "./testing/project.ts";

const quiet = { logger: () => undefined };
const words = Array.from({ length: 40 }, (_, n) => `value_${n}`);
const names = Array.from({ length: 15 }, (_, n) => `field_${n}`);

const tool = {
  name: "book",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "integer" },
      list: { type: "array", items: { type: "integer" } },
      ...Object.fromEntries(names.map((name) => [name, { enum: [...words, name] }])),
    },
  },
};
const manyFaults = Object.fromEntries(names.map((name) => [name, "x"]));

async function answers(
  contract: Contract,
  ...args: readonly unknown[]
): Promise<readonly string[]> {
  const observed: string[] = [];
  for (const [index, value] of args.entries()) {
    const call = { id: `call_${index}`, name: tool.name, arguments: value };
    const turn = { turnId: `turn_${index}`, runId: `run_${index}`, conversationId: "one" };
    const handled = await contract.handle(call, { tool, ...turn, execute: () => "done" });
    observed.push(`${handled.status} ${handled.result.content}`);
  }
  return observed;
}

const rejection = (args: unknown) => async (options: ContractOptions) =>
  answers(createContract({ ...quiet, ...options }), args);
const check = (args: unknown) => async (options: ContractOptions) =>
  createContract({ ...quiet, ...options }).check(tool, args);

interface Effect {
  /** A value that is not the default. */
  readonly other: string | number | boolean;
  /** What can be seen of the option. */
  readonly observe: (options: ContractOptions) => Promise<unknown>;
}

const EFFECTS: Readonly<Partial<Record<OptionName, Effect>>> = {
  maxAttempts: {
    other: 1,
    observe: async (options) =>
      answers(
        createContract({ ...quiet, scope: "thread", ...options }),
        ...words.slice(0, 4).map((path) => ({ path })),
      ),
  },
  scope: {
    other: "thread",
    observe: async (options) =>
      answers(createContract({ ...quiet, ...options }), { path: "a" }, { path: "b" }),
  },
  onBlocked: {
    other: "refuse",
    observe: async (options) =>
      answers(
        createContract({ ...quiet, maxAttempts: 1, scope: "thread", ...options }),
        { path: "a" },
        { path: 1 },
      ),
  },
  "format.style": { other: "compact", observe: rejection({ path: "a" }) },
  "format.maxLength": { other: 900, observe: rejection(manyFaults) },
  "format.maxErrors": { other: 3, observe: check(manyFaults) },
  "format.maxValuePreview": { other: 12, observe: rejection({ path: "wort ".repeat(80) }) },
  "format.maxTokens": { other: 150, observe: rejection(manyFaults) },
  maxCallsPerTurn: {
    other: 1,
    observe: async (options) => {
      const contract = createContract({ ...quiet, ...options });
      const calls = ["a", "b"].map((id) => ({ id, name: "read", arguments: {} }));
      const tools = [{ name: "read" }];
      const context = { conversationId: "c", tools, execute: () => "done" };
      const handled = await contract.handleTurn(calls, context);
      return handled.map(({ result }) => result.content);
    },
  },
  repeatedCalls: {
    other: "once",
    observe: async (options) => {
      const contract = createContract({ ...quiet, ...options });
      const calls = ["a", "b"].map((id) => ({ id, name: "read", arguments: {} }));
      let runs = 0;
      const execute = () => (runs += 1);
      const context = { conversationId: "c", tools: [{ name: "read" }], execute };
      await contract.handleTurn(calls, context);
      return runs;
    },
  },
  reportAdvisories: {
    other: true,
    observe: async (options) => rejection({ extra: 1 })({ ...options, unknownFields: "warn" }),
  },
  unknownFields: { other: "reject", observe: check({ extra: 1 }) },
  repairJson: { other: false, observe: check("{path: 1}") },
  closeDangling: { other: true, observe: check('{"list": [1, 2]') },
  dropNulls: { other: true, observe: check({ path: null }) },
  maxFailures: {
    other: 1,
    observe: async (options) => {
      const contract = createContract({ ...quiet, ...options });
      const fails = async (): Promise<never> => Promise.reject(new TypeError("no"));
      const context = { conversationId: "c", tools: [tool], execute: fails };
      const call = { id: "1", name: tool.name, arguments: { path: 1 } };
      const [answer] = await contract.handleTurn([call], context);
      return answer?.status;
    },
  },
  mode: { other: "observe", observe: rejection(manyFaults) },
  overBudget: {
    other: "accept",
    observe: async (options) => {
      const tag = { type: "string", pattern: "^(a+)+$" };
      const own = { name: "own", inputSchema: { type: "object", properties: { tag } } };
      const contract = createContract({ ...quiet, ...options });
      return contract.check(own, { tag: "a".repeat(50_000) }).status;
    },
  },
  unwrapStrings: { other: false, observe: check({ list: "[1]" }) },
  workspaceRoot: {
    other: "/srv/app",
    observe: rejection({ path: "/srv/app/src/deep/down/index.ts" }),
  },
  interpreter: {
    other: true,
    observe: async (options) => {
      const compile = vi.spyOn(globalThis, "Function");
      try {
        const own = { name: "own", inputSchema: { type: "object", title: `${Math.random()}` } };
        createContract({ ...quiet, ...options }).check(own, {});
        return compile.mock.calls.length > 0;
      } finally {
        compile.mockRestore();
      }
    },
  },
};

function inFile(keys: readonly string[], value: unknown): ContractOptions {
  const validation = keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return createProject({ [FILE]: settings(validation) }).load().options;
}

describe("every setting of the file does what it says", () => {
  test.each(FILE_OPTIONS)("$name", async ({ name, keys, fallback }) => {
    const effect = EFFECTS[name];
    if (!effect) throw new Error("say how the option can be seen");
    const usual = await effect.observe({});
    expect(await effect.observe(inFile(keys, effect.other))).not.toEqual(usual);
    if (fallback !== undefined) expect(await effect.observe(inFile(keys, fallback))).toEqual(usual);
  });
});
