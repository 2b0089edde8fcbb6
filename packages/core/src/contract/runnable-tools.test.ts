import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type ToolCall, type ToolDefinition, createContract, defineTool } from "../index.ts";

const weather = defineTool({
  name: "get_weather",
  validator: z.object({ city: z.string(), days: z.coerce.number().default(3) }),
  execute: ({ city, days }, { call }) => `${call.id}: ${city}, ${days} days`,
});
const add = defineTool<{ a: number; b: number }, number>({
  name: "add",
  inputSchema: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
  execute: ({ a, b }) => a + b,
});
const idle: ToolDefinition = { name: "idle", inputSchema: { type: "object" } };

const call = (name: string, args: unknown): ToolCall => ({ id: "c1", name, arguments: args });
const context = { conversationId: "thread-7" };
const setUp = () => createContract({ logger: () => undefined });

describe("a tool that carries its function", () => {
  test("runs with the validator's output, and with the call", async () => {
    const answer = await setUp().handle(call("get_weather", '{"city": "Oslo", "days": "2"}'), {
      ...context,
      tool: weather,
    });
    expect(answer).toMatchObject({ status: "executed", output: "c1: Oslo, 2 days" });
  });

  test.each([
    ["an array", [weather, add]],
    ["an object", { get_weather: weather, add }],
  ])("is found by its name in %s", async (_, tools) => {
    const calls = [call("add", { a: 2, b: 3 }), call("get_weather", { city: "Oslo" })];
    const handled = await setUp().handleTurn(calls, { ...context, tools });
    expect(handled.map(({ result }) => result.content)).toEqual(["5", "c1: Oslo, 3 days"]);
  });

  test("does not run with arguments that its schema refuses", async () => {
    const answer = await setUp().handle(call("add", { a: "two" }), { ...context, tool: add });
    expect(answer).toMatchObject({ status: "rejected", attempt: 1 });
  });

  test("an unknown name is answered as everywhere", async () => {
    const [answer] = await setUp().handleTurn([call("ad", {})], { ...context, tools: [add] });
    expect(answer).toMatchObject({ status: "rejected", errors: [{ errorCode: "VAL-012" }] });
  });

  test("what it throws is the answer to its call alone", async () => {
    const failing = defineTool({
      name: "fail",
      inputSchema: { type: "object" },
      execute: () => {
        throw new Error("no");
      },
    });
    const calls = [call("fail", { a: 1, b: 1 }), call("add", { a: 1, b: 1 })];
    const handled = await setUp().handleTurn(calls, { ...context, tools: [failing, add] });
    expect(handled.map(({ status }) => status)).toEqual(["failed", "executed"]);
  });

  test("an `execute` that is passed runs every call", async () => {
    const answer = await setUp().handle(call("add", { a: 1, b: 1 }), {
      ...context,
      tools: [add, idle],
      execute: () => "elsewhere",
    });
    expect(answer).toMatchObject({ status: "executed", output: "elsewhere" });
  });
});

describe("a misuse is said before anything runs", () => {
  test.each([
    ["the called tool", call("idle", {})],
    ["another tool", call("add", { a: 1, b: 1 })],
    ["no tool at all", call("none", {})],
  ])("a tool without a function, if the call is of %s", async (_, one) => {
    // @ts-expect-error a tool carries no function
    const answer = setUp().handleTurn([one], { ...context, tools: [add, idle] });
    await expect(answer).rejects.toThrow(
      "contract.handleTurn: nothing runs the tool 'idle'. Pass `execute`, or give each tool its own: defineTool({ name, validator, execute }).",
    );
  });

  test("a function that is none", async () => {
    expect(() => defineTool({ name: "t", execute: "run" as never })).toThrow(
      "Tool 't': execute must be the function (args, { call, signal }) => result that runs the tool.",
    );
    // @ts-expect-error it is not a function
    const answer = setUp().handle(call("add", {}), { ...context, tool: add, execute: "run" });
    await expect(answer).rejects.toThrow(
      "contract.handle: `execute` must be the function that runs the tool.",
    );
  });
});
