import { createContract, type Escalation } from "@toolcontract/core";
import {
  generateText,
  hasToolCall,
  type InferToolInput,
  isStepCount,
  type LanguageModel,
  streamText,
  tool,
  ToolLoopAgent,
} from "ai";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import { escalationsOf, withContract } from "./index.ts";

declare const model: LanguageModel;

const tools = {
  read_file: tool({
    inputSchema: z.object({ path: z.string(), lines: z.coerce.number().default(10) }),
    execute: async ({ path, lines }) => ({ path, read: lines }),
  }),
  list: tool({ inputSchema: z.object({}), execute: async () => ["a.txt"] }),
};

// The tools keep their exact type, whatever the other options are.
const guarded = withContract({
  tools,
  maxAttempts: 3,
  stopWhen: [isStepCount(8), hasToolCall("list")],
  prepareStep: ({ stepNumber }) => ({ activeTools: stepNumber > 3 ? ["list"] : ["read_file"] }),
  repairToolCall: async ({ toolCall }) => toolCall,
  activeTools: ["read_file", "list"],
  rules: { read_file: [({ path }: { path: string }) => [{ message: path }]] },
});
expectTypeOf(guarded.tools).toEqualTypeOf<typeof tools>();
expectTypeOf<InferToolInput<typeof guarded.tools.read_file>>().toEqualTypeOf<
  InferToolInput<typeof tools.read_file>
>();

// Inputs and results of the calls stay inferred in every mode.
const result = await generateText({ model, prompt: "Hi", ...guarded });
for (const call of result.toolCalls) {
  if (call.dynamic || call.toolName !== "read_file") continue;
  expectTypeOf(call.input).toEqualTypeOf<{ path: string; lines: number }>();
}
for (const one of result.toolResults) {
  if (one.dynamic || one.toolName !== "read_file") continue;
  expectTypeOf(one.output).toEqualTypeOf<{ path: string; read: number }>();
}
const stream = streamText({ model, prompt: "Hi", ...guarded });
for (const call of await stream.toolCalls) {
  if (call.dynamic || call.toolName !== "read_file") continue;
  expectTypeOf(call.input.lines).toEqualTypeOf<number>();
}
const agent = new ToolLoopAgent({ model, ...guarded });
expectTypeOf(agent.tools).toEqualTypeOf<typeof tools>();
expectTypeOf((await agent.generate({ prompt: "Hi" })).steps).toExtend<typeof result.steps>();

// The escalations are in every result.
expectTypeOf(escalationsOf(result.steps)).toEqualTypeOf<readonly Escalation[]>();
expectTypeOf(escalationsOf(await stream.steps)).toEqualTypeOf<readonly Escalation[]>();

// A contract, or its options.
withContract({ tools, contract: createContract(), escalate: "stop" });
// @ts-expect-error never both
withContract({ tools, contract: createContract(), maxAttempts: 2 });
// @ts-expect-error no such tool
withContract({ tools, activeTools: ["write_file"] });
// @ts-expect-error no such way to escalate
withContract({ tools, escalate: "explode" });
// @ts-expect-error the tools are needed
withContract({ maxAttempts: 2 });
