import { Agent, type Runner } from "@openai/agents";
import { createContract } from "@toolcontract/core";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import { tool, withContract } from "./index.ts";

const book = tool({
  name: "book",
  description: "Books.",
  parameters: z.object({ seats: z.number() }),
  execute: async (input) => {
    expectTypeOf(input).toEqualTypeOf<{ seats: number }>();
    return input.seats;
  },
});
const typed = new Agent({ name: "a", tools: [book], outputType: z.object({ ok: z.boolean() }) });

const guarded = withContract(typed, { maxAttempts: 2, schemas: { book: z.object({}) } });
expectTypeOf(guarded.agent).toEqualTypeOf(typed);
expectTypeOf(guarded.runner).toEqualTypeOf<Runner>();

const result = await guarded.runner.run(guarded.agent, "Go.");
expectTypeOf(result.finalOutput).toEqualTypeOf<{ ok: boolean } | undefined>();

withContract(typed, { contract: createContract(), escalate: "throw" });
// @ts-expect-error -- either a contract or its options
withContract(typed, { contract: createContract(), maxAttempts: 2 });
// @ts-expect-error -- not an option
withContract(typed, { escalate: "stop" });
// @ts-expect-error -- an agent comes first
withContract({ tools: [book] });
