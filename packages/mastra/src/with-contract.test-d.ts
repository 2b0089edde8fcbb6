import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { createContract } from "@toolcontract/core";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import { withContract } from "./index.ts";

const book = createTool({
  id: "book",
  description: "Books.",
  inputSchema: z.object({ seats: z.number() }),
  execute: async (input) => {
    expectTypeOf(input).toEqualTypeOf<{ seats: number }>();
    return input.seats;
  },
});
const config = {
  id: "a",
  name: "a",
  instructions: "Help.",
  model: "openai/gpt-5",
  tools: { book },
} as const;

const guarded = withContract(config, { maxAttempts: 2, escalate: "throw" });
expectTypeOf(guarded).toEqualTypeOf(config);
expectTypeOf(new Agent(guarded).id).toEqualTypeOf(new Agent(config).id);

withContract(config, { contract: createContract() });
// @ts-expect-error -- either a contract or its options
withContract(config, { contract: createContract(), maxAttempts: 2 });
// @ts-expect-error -- not an option
withContract(config, { escalate: "stop" });
// @ts-expect-error -- a configuration has a model
withContract({ tools: { book } });
