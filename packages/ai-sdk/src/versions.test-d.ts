import { createContract, type Escalation } from "@toolcontract/core";
import {
  Experimental_Agent as Agent,
  generateObject,
  generateText,
  hasToolCall,
  jsonSchema,
  type LanguageModel,
  stepCountIs,
  streamText,
  tool,
} from "ai";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import { escalationsOf, guardModel, withContract } from "./index.ts";

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

// The answer has the type of its schema.
const review = z.object({ rating: z.number().max(5), title: z.string() });
const rated = withContract({ tools, output: { schema: review, maxAttempts: 2 } });
type Parse<OBJECT> = (...given: never[]) => Promise<OBJECT>;
// Version 5 has another name for it.
type ObjectOf<OUTPUT> = OUTPUT extends
  | { readonly parseOutput: Parse<infer OBJECT> }
  | { readonly parseCompleteOutput: Parse<infer OBJECT> }
  ? OBJECT
  : never;
expectTypeOf<ObjectOf<typeof rated.output>>().toEqualTypeOf<z.infer<typeof review>>();
withContract({ tools, output: { schema: jsonSchema<{ rating: number }>({ type: "object" }) } });
// @ts-expect-error no schema
withContract({ tools, output: { schema: 5 } });
const { object } = await generateObject({ model: guardModel(model), schema: review, prompt: "Hi" });
expectTypeOf(object).toEqualTypeOf<z.infer<typeof review>>();

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
