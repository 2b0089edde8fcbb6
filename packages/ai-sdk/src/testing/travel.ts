import type { ToolSet } from "ai";
import { z } from "zod";
import type { ScriptedCall } from "./scripted-model.ts";
import type { Sdk } from "./sdk.ts";

/** A value that no text, log or error may repeat. */
export const SECRET = "4111111111111111";

/** Contract options without logging. */
export const quiet: { readonly logger: () => undefined } = { logger: () => undefined };

/** The tools of a travel agent; records what ran. */
export function travel({ ai }: Sdk): { tools: ToolSet; ran: unknown[] } {
  const ran: unknown[] = [];
  const book = ai.tool({
    description: "Books a flight",
    inputSchema: z.object({ from: z.string().length(3), age: z.int() }),
    execute: async (input: unknown) => {
      ran.push(input);
      return "booked";
    },
  });
  const weather = ai.tool({
    inputSchema: z.object({ city: z.string() }),
    execute: async (input: unknown) => {
      ran.push(input);
      return "sunny";
    },
  });
  return { tools: { book, weather }, ran };
}

/** A call with a wrong age by default. */
export function bad(id: string, name = "book", input = '{"from":"LIS","age":"34"}'): ScriptedCall {
  return { id, name, input };
}

/** A call that books. */
export function good(id: string): ScriptedCall {
  return bad(id, "book", '{"from":"LIS","age":34}');
}
