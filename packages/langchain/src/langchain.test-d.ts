import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { DynamicStructuredTool } from "@langchain/core/tools";
import { createContract, type Escalation } from "@toolcontract/core";
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  tool,
  type ToolCallRequest,
  toolStrategy,
} from "langchain";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import {
  escalationOf,
  promoteInvalidToolCalls,
  toolContractMiddleware,
  validCallsOnly,
  wrapTool,
  wrapTools,
} from "./index.ts";

declare const model: never;
declare const message: AIMessage;
declare const mcpTool: DynamicStructuredTool;
declare const mcpTools: DynamicStructuredTool[];

const read = tool(async ({ path }) => path, {
  name: "read_file",
  description: "Reads a file.",
  schema: z.object({ path: z.string(), lines: z.coerce.number().default(10) }),
});
const list = tool(async () => "a.txt", {
  name: "list",
  description: "Lists.",
  schema: z.object({}),
});

// The results of an agent stay typed beside other middleware and structured output.
const counting = createMiddleware({
  name: "counting",
  stateSchema: z.object({ count: z.number() }),
});
const agent = createAgent({
  model,
  tools: [read, list],
  responseFormat: toolStrategy(z.object({ total: z.number() })),
  middleware: [toolContractMiddleware({ maxAttempts: 3 }), counting],
});
const state = await agent.invoke({ messages: [], count: 1 });
expectTypeOf(state.structuredResponse).toEqualTypeOf<{ total: number }>();
expectTypeOf(state.count).toEqualTypeOf<number>();
expectTypeOf(state.messages).toExtend<readonly BaseMessage[]>();
expectTypeOf(state.messages).not.toBeAny();
expectTypeOf(toolContractMiddleware()).toExtend<AgentMiddleware>();

// The escalation is in every state.
expectTypeOf(escalationOf(state)).toEqualTypeOf<Escalation | undefined>();
expectTypeOf(escalationOf(state.messages)).toEqualTypeOf<Escalation | undefined>();

// Wrapped tools keep their exact type.
expectTypeOf(wrapTool(read)).toEqualTypeOf<typeof read>();
expectTypeOf(wrapTools([read, list])).toEqualTypeOf<[typeof read, typeof list]>();

expectTypeOf(wrapTool(mcpTool)).toEqualTypeOf<DynamicStructuredTool>();
expectTypeOf(wrapTools(mcpTools)).toEqualTypeOf<DynamicStructuredTool[]>();
expectTypeOf(promoteInvalidToolCalls(message)).toEqualTypeOf<AIMessage>();

// A tool that cannot be called by name cannot be wrapped.
// @ts-expect-error a provider's own tool
wrapTool({ type: "web_search", name: "web_search" });

// The predicate fits the `when` option.
expectTypeOf(validCallsOnly([read, list])).toExtend<
  (request: ToolCallRequest) => Promise<boolean>
>();

// Either a contract or its options.
toolContractMiddleware({ contract: createContract(), escalate: "drop-tool" });
toolContractMiddleware({
  rules: { read_file: [({ path }: { path: string }) => [{ message: path }]] },
  toolErrors: (error, request) => {
    expectTypeOf(error).toBeUnknown();
    expectTypeOf(request).toEqualTypeOf<ToolCallRequest>();
    return `${request.toolCall.name}: ${String(error)}`;
  },
  schemaFor: (name) => (name === "read_file" ? { type: "object" } : undefined),
});
// @ts-expect-error never both
toolContractMiddleware({ contract: createContract(), maxAttempts: 2 });
// @ts-expect-error no such way to escalate
toolContractMiddleware({ escalate: "explode" });
// @ts-expect-error no such option
toolContractMiddleware({ maxAttempt: 2 });
