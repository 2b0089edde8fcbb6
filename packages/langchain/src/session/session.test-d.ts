import type { BaseMessage } from "@langchain/core/messages";
import type { FinalReport } from "@toolcontract/session";
import { createContract } from "@toolcontract/core";
import { type AgentMiddleware, createAgent, createMiddleware, tool, toolStrategy } from "langchain";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import { agentSession } from "./index.ts";

declare const model: never;

const read = tool(async ({ path }) => path, {
  name: "read_file",
  description: "Reads a file.",
  schema: z.object({ path: z.string() }),
});
const session = agentSession({ targets: [{ model }], maxTurns: 8, maxAttempts: 2 });
expectTypeOf(session.middleware).toExtend<AgentMiddleware>();

// The state of an agent stays typed beside other middleware and structured output.
const counting = createMiddleware({
  name: "counting",
  stateSchema: z.object({ count: z.number() }),
});
const agent = createAgent({
  model,
  tools: [read],
  responseFormat: toolStrategy(z.object({ total: z.number() })),
  middleware: [session.middleware, counting],
});
const result = await session.run(agent, { messages: [], count: 1 }, { recursionLimit: 100 });
expectTypeOf(result.success).toEqualTypeOf<boolean>();
expectTypeOf(result.finalReport).toEqualTypeOf<FinalReport | undefined>();
expectTypeOf(result.conversation).toEqualTypeOf<readonly BaseMessage[]>();
expectTypeOf(result.value?.structuredResponse).toEqualTypeOf<{ total: number } | undefined>();
expectTypeOf(result.value?.count).toEqualTypeOf<number | undefined>();
expectTypeOf(result.value).not.toBeAny();

// @ts-expect-error the agent's state needs a count
void session.run(agent, { messages: [], count: "one" });
// @ts-expect-error no agent
void session.run({}, { messages: [] });
// @ts-expect-error at least one target
agentSession({ targets: [] });
// @ts-expect-error never both
agentSession({ targets: [{ model }], contract: createContract(), maxAttempts: 2 });
// @ts-expect-error no such option
agentSession({ targets: [{ model }], maxTurn: 3 });
agentSession({
  targets: [{ model, contextWindow: 128_000, settings: { reasoning: { effort: "low" } } }],
  contract: createContract(),
  escalate: "interrupt",
  toolResponseMaxBytes: (name) => (name === "read" ? 1_024 : undefined),
  expectedOutputFormat: "json",
  outputSchema: { type: "object" },
});
