import * as api from "@opentelemetry/api";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import type { Admission, CheckResult, Handled, HandledInTurn, ToolResult } from "../call/index.ts";
import type { ValidationError } from "@toolcontract/explain";
import { createContract } from "./create-contract.ts";
import { type RunnableTool, type ToolDefinition, defineTool } from "../shared/index.ts";

const contract = createContract({ maxAttempts: 3, format: { style: "compact" } });

// OpenTelemetry's module as it is, of version 1.9 too, and with the contract's own options.
const { logs: _, ...older } = api;
createContract({ telemetry: api });
createContract({ telemetry: older });
createContract({ telemetry: { ...api, refusals: "active", conversationId: true } });
// @ts-expect-error no such way
createContract({ telemetry: { ...api, refusals: "all" } });

// The finish reasons of all SDKs: some are null in the middle of a stream, or undefined.
declare const finishReason: "stop" | "tool_calls" | null | undefined;
void contract.admit(
  { id: "1", name: "t", arguments: "" },
  { conversationId: "c", tools: [{ name: "t", inputSchema: {} }], finishReason },
);
contract.check({ name: "t", inputSchema: {} }, "", { finishReason });

// The validator types the rules.
defineTool({
  name: "write_file",
  validator: z.object({ path: z.string(), mode: z.coerce.number().default(420) }),
  rules: [
    (args, { tool, signal }) => {
      expectTypeOf(args).toEqualTypeOf<{ path: string; mode: number }>();
      expectTypeOf(tool).toEqualTypeOf<string>();
      expectTypeOf(signal).toEqualTypeOf<AbortSignal | undefined>();
      return [{ message: "no", fieldPath: "/path" }];
    },
  ],
});

// Without one, the caller does.
defineTool<{ path: string }>({
  name: "read_file",
  inputSchema: { type: "object" },
  rules: [(args) => (args.path.startsWith("/") ? [{ message: "relative paths only" }] : undefined)],
});

defineTool({ name: "t", inputSchema: z.toJSONSchema(z.object({ a: z.string() })) });

defineTool({
  name: "t",
  validator: z.object({ a: z.string() }),
  // @ts-expect-error a rule that reads what the validator does not give
  rules: [(args) => [{ message: String(args.b) }]],
});

// @ts-expect-error an unknown option
createContract({ maxAttemps: 3 });

// @ts-expect-error an unknown style
createContract({ format: { style: "short" } });

const tool = { name: "read_file", inputSchema: { type: "object" } };
const checked: CheckResult = contract.check(tool, "{}");
if (checked.status === "invalid")
  expectTypeOf(checked.errors).toEqualTypeOf<readonly ValidationError[]>();
else expectTypeOf(checked.output).toEqualTypeOf<unknown>();

const call = { id: "1", name: "read_file", arguments: "{}" };

// @ts-expect-error conversationId is required
void contract.admit(call, { tool });

export async function admission(): Promise<void> {
  const admitted: Admission = await contract.admit(call, { tool, conversationId: "c" });
  if (admitted.status !== "admitted") return;
  async function* stream(): AsyncGenerator<number> {
    yield 1;
  }
  const iterable = admitted.run(() => stream());
  expectTypeOf(iterable).toEqualTypeOf<AsyncGenerator<number>>();
}

export async function handled(): Promise<void> {
  const answer = await contract.handle(call, { tool, conversationId: "c", execute: async () => 5 });
  expectTypeOf(answer).toEqualTypeOf<Handled<number>>();
  if (answer.status === "executed") expectTypeOf(answer.output).toEqualTypeOf<number>();
  // It throws what the tool throws.
  expectTypeOf(answer.status).toEqualTypeOf<"executed" | "rejected" | "ask" | "blocked">();
  if (answer.status === "ask") expectTypeOf(answer.request.tool).toEqualTypeOf<string>();
}

export async function turn(): Promise<void> {
  const context = { tools: [tool], conversationId: "c", execute: async () => 5 };
  const answers = await contract.handleTurn([call], context);
  expectTypeOf(answers).toEqualTypeOf<readonly HandledInTurn<number>[]>();
  for (const answer of answers) {
    expectTypeOf(answer.result).toEqualTypeOf<ToolResult>();
    expectTypeOf(answer.attempt).toEqualTypeOf<number>();
    if (answer.status === "failed") expectTypeOf(answer.error).toEqualTypeOf<unknown>();
    else expectTypeOf(answer).toEqualTypeOf<Handled<number>>();
    // @ts-expect-error only a failed call has an error
    void answer.error;
    // @ts-expect-error a failed call has no output
    if (answer.status === "failed") void answer.output;
  }
  expectTypeOf(contract.settledCalls([call])).toEqualTypeOf<readonly HandledInTurn[]>();
  // @ts-expect-error the calls, not the error
  contract.settledCalls(new Error("interrupt"));
}

// A tool that carries its function.
export async function runnable(): Promise<void> {
  const weather = defineTool({
    name: "get_weather",
    validator: z.object({ city: z.string(), days: z.coerce.number().default(1) }),
    execute: (args, { call: own, signal }) => {
      expectTypeOf(args).toEqualTypeOf<{ city: string; days: number }>();
      expectTypeOf(own.id).toEqualTypeOf<string>();
      expectTypeOf(signal).toEqualTypeOf<AbortSignal | undefined>();
      return { sunny: true };
    },
  });
  const add = defineTool<{ a: number }, Promise<number>>({
    name: "add",
    inputSchema: { type: "object" },
    execute: async ({ a }) => a + 1,
  });
  const idle = defineTool({ name: "idle", inputSchema: { type: "object" } });
  const context = { conversationId: "c" };

  const one = await contract.handle(call, { ...context, tool: weather });
  expectTypeOf(one).toEqualTypeOf<Handled<{ sunny: boolean }>>();
  const all = await contract.handleTurn([call], { ...context, tools: [weather, add] });
  expectTypeOf(all).toEqualTypeOf<readonly HandledInTurn<{ sunny: boolean } | number>[]>();
  const other = await contract.handle(call, {
    ...context,
    tools: [weather, idle],
    execute: () => 5,
  });
  expectTypeOf(other).toEqualTypeOf<Handled<number>>();

  // @ts-expect-error nothing runs the other tool
  await contract.handleTurn([call], { ...context, tools: [weather, idle] });

  defineTool({
    name: "t",
    validator: z.object({ a: z.string() }),
    // @ts-expect-error the validator gives no date
    execute: (args: { a: Date }) => args.a,
  });

  // Without defineTool(), too.
  const name = "t";
  const bare = {
    name,
    validator: z.object({ a: z.string() }),
    execute: (args: { a: Date }) => args,
  };
  // @ts-expect-error the validator gives no date
  await contract.handle(call, { ...context, tool: bare });
  // @ts-expect-error the validator gives no date
  await contract.handle(call, { ...context, tools: { t: bare } });
  // @ts-expect-error the validator of one of them gives no date
  await contract.handleTurn([call], { ...context, tools: [weather, bare] });
  const any: readonly RunnableTool[] = [weather, add];
  expectTypeOf(await contract.handle(call, { ...context, tools: any })).toEqualTypeOf<Handled>();
  const table = { get_weather: weather, add };
  expectTypeOf(await contract.handle(call, { ...context, tools: table })).toEqualTypeOf<
    Handled<{ sunny: boolean } | number>
  >();
}

// A function of the host, which the tools do not carry.
export async function dispatched(): Promise<void> {
  const validator = z.object({ city: z.string(), days: z.coerce.number().default(1) });
  const weather = { name: "get_weather", validator };
  const add = defineTool<{ a: number }>({ name: "add", inputSchema: { type: "object" } });
  const context = { conversationId: "c" };

  // The called tool types what it gets.
  await contract.handle(call, {
    ...context,
    tool: weather,
    execute: (args) => expectTypeOf(args).toEqualTypeOf<{ city: string; days: number }>(),
  });
  await contract.handle(call, {
    ...context,
    tool: weather,
    execute: (args: { city: string }) => args,
  });
  await contract.handle(call, {
    ...context,
    tool: add,
    execute: (args) => expectTypeOf(args).toEqualTypeOf<{ a: number }>(),
  });
  await contract.handle(call, {
    ...context,
    tool: { name: "read_file", inputSchema: { type: "object" } },
    execute: (args) => expectTypeOf(args).toEqualTypeOf<unknown>(),
  });
  const whichever: ToolDefinition = weather;
  await contract.handle(call, {
    ...context,
    tool: whichever,
    execute: (args) => expectTypeOf(args).toEqualTypeOf<unknown>(),
  });
  await contract.handle(call, {
    ...context,
    tool: weather,
    // @ts-expect-error the validator gives no date
    execute: (args: { city: Date }) => args,
  });

  // One function for tools of many kinds gets anything.
  const tools = [weather, add];
  await contract.handleTurn([call], {
    ...context,
    tools,
    execute: (args, { call: own }) => {
      expectTypeOf(args).toEqualTypeOf<unknown>();
      expectTypeOf(own.name).toEqualTypeOf<string>();
    },
  });
  // @ts-expect-error it may be called with the arguments of either tool
  await contract.handleTurn([call], { ...context, tools, execute: (a: { nope: Date }) => a });
  // @ts-expect-error it may be called with the arguments of either tool
  await contract.handle(call, { ...context, tools, execute: (a: { city: string }) => a });

  const admitted = await contract.admit(call, { ...context, tools });
  if (admitted.status !== "admitted") return;
  expectTypeOf(admitted.run((args) => args)).toEqualTypeOf<unknown>();
  // @ts-expect-error an admission does not know the tool's type
  admitted.run((args: { nope: Date }) => args);
}
