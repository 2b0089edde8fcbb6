import { createContract } from "@toolcontract/core";
import type { AIAgentResult, SessionLimits } from "@toolcontract/session";
import {
  generateText,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  streamText,
  tool,
  ToolLoopAgent,
} from "ai";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import { agentSession } from "./index.ts";

declare const model: LanguageModel;
declare const limits: SessionLimits;

const tools = {
  read_file: tool({
    inputSchema: z.object({ path: z.string() }),
    execute: async ({ path }) => ({ path, size: 1 }),
  }),
};

// The tools keep their exact type, whatever the other options are.
const session = agentSession({
  targets: [{ model, settings: { temperature: 0.2 } }],
  tools,
  maxTurns: 8,
  stopWhen: isStepCount(8),
  prepareStep: () => ({ activeTools: ["read_file"] }),
  queueOf: { read_file: "default" },
});

const run = await session.run((options) => generateText({ ...options, prompt: "Hi" }));
expectTypeOf(run).toExtend<AIAgentResult<ModelMessage>>();
expectTypeOf(run.value).not.toBeAny();
for (const call of run.value?.toolCalls ?? []) {
  if (call.dynamic) continue;
  expectTypeOf(call.toolName).toEqualTypeOf<"read_file">();
  expectTypeOf(call.input).toEqualTypeOf<{ path: string }>();
}
for (const result of run.value?.toolResults ?? []) {
  if (result.dynamic) continue;
  expectTypeOf(result.output).toEqualTypeOf<{ path: string; size: number }>();
}

const streamed = await session.run((options) => streamText({ ...options, prompt: "Hi" }));
expectTypeOf(streamed.value).not.toBeAny();
expectTypeOf(await streamed.value?.text).toEqualTypeOf<string | undefined>();

const agent = new ToolLoopAgent({ model, tools, prepareCall: session.prepareCall });
const ran = await session.run(async () => agent.generate({ prompt: "Hi" }));
expectTypeOf(ran.value?.text).toEqualTypeOf<string | undefined>();

// What the function returns is the value, whatever it is.
const text = await session.run(async (options) => {
  const { text: said } = await generateText({ ...options, prompt: "Hi" });
  return said;
});
expectTypeOf(text.value).toEqualTypeOf<string | undefined>();

// A limit is for all tools, or by tool.
agentSession({ targets: [{ model }], tools, toolTimeout: 5_000, toolResponseMaxBytes: 1_024 });
const byTool = (name: string): number | undefined => (name === "read_file" ? 1_024 : undefined);
agentSession({ targets: [{ model }], tools, toolTimeout: byTool, toolResponseMaxBytes: byTool });
// @ts-expect-error A limit is a number.
agentSession({ targets: [{ model }], tools, toolResponseMaxBytes: () => "1kb" });

// @ts-expect-error A session needs a target.
agentSession({ targets: [], tools });
// @ts-expect-error Only tools of the session can be active.
agentSession({ targets: [{ model }], tools, activeTools: ["write_file"] });

// Limits go with the options of a contract, and with a contract.
agentSession({ targets: [{ model }], tools, ...limits, maxAttempts: 2 });
agentSession({ targets: [{ model }], tools, ...limits, contract: createContract() });
// @ts-expect-error: the contract has its own number of attempts.
agentSession({ targets: [{ model }], tools, contract: createContract(), maxAttempts: 2 });
