import { createContract, type Escalation } from "@toolcontract/core";
import {
  Experimental_Agent as Agent,
  generateText,
  hasToolCall,
  type LanguageModel,
  stepCountIs,
  streamText,
  tool,
} from "ai";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import { escalationsOf, withContract } from "./index.ts";

// Types in every supported version of the SDK; types.test.ts compiles this file with each of them.

declare const model: LanguageModel;

const tools = {
  read_file: tool({
    inputSchema: z.object({ path: z.string(), lines: z.coerce.number().default(10) }),
    execute: async ({ path, lines }) => ({ path, read: lines }),
  }),
  list: tool({ inputSchema: z.object({}), execute: async () => ["a.txt"] }),
};

const guarded = withContract({
  tools,
  maxAttempts: 3,
  stopWhen: [stepCountIs(8), hasToolCall("list")],
  prepareStep: ({ stepNumber }) => ({ activeTools: stepNumber > 3 ? ["list"] : ["read_file"] }),
  repairToolCall: async ({ toolCall }) => toolCall,
  activeTools: ["read_file", "list"],
});
expectTypeOf(guarded.tools).toEqualTypeOf<typeof tools>();

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
const agent = new Agent({ model, ...guarded });
for (const call of (await agent.generate({ prompt: "Hi" })).toolCalls) {
  if (call.dynamic || call.toolName !== "read_file") continue;
  expectTypeOf(call.input.path).toEqualTypeOf<string>();
}

// The escalations are in every result.
expectTypeOf(escalationsOf(result.steps)).toEqualTypeOf<readonly Escalation[]>();
expectTypeOf(escalationsOf(await stream.steps)).toEqualTypeOf<readonly Escalation[]>();

withContract({ tools, contract: createContract(), escalate: "stop" });
// @ts-expect-error never both
withContract({ tools, contract: createContract(), maxAttempts: 2 });
// @ts-expect-error no such tool
withContract({ tools, activeTools: ["write_file"] });
// @ts-expect-error no such way to escalate
withContract({ tools, escalate: "explode" });
