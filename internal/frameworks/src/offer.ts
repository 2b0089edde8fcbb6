import type { JsonSchema } from "@toolcontract/core";
import type { z } from "zod";

/** A tool as a user of a framework declares it. */
export interface DeclaredTool {
  readonly name: string;
  readonly schema: z.ZodType | JsonSchema;
}

/** A call of a model: the tool's name and the arguments as the model wrote them. */
export interface ModelCall {
  readonly tool: { readonly name: string };
  readonly text: string;
}

/** The outcome of a call: a message for the model, a run of the tool, or nothing the model would read. */
export type Outcome =
  | { readonly status: "answered"; readonly text: string }
  | { readonly status: "ran"; readonly args: unknown }
  | { readonly status: "silent" };

/** Makes a call with the arguments as the model wrote them. */
export type MakeCall = (text: string) => Promise<Outcome>;

/** Runs a tool. */
export type RunTool = (args: unknown) => string;

/** Makes a call; returns what the model reads, undefined for nothing. */
type Answer = (text: string) => Promise<string | undefined>;

/**
 * Offers a tool through a host.
 *
 * @param host - Creates the host with the tool; returns what makes a call and reads the answer to it.
 */
export async function offerThrough(
  host: (run: RunTool) => Promise<Answer> | Answer,
): Promise<MakeCall> {
  let ran: { readonly args: unknown } | undefined;
  const answerTo = await host((args) => {
    ran ??= { args };
    return "done";
  });
  return async (text) => {
    ran = undefined;
    const answer = await answerTo(text);
    if (ran !== undefined) return { status: "ran", ...(ran as { readonly args: unknown }) };
    return answer === undefined ? { status: "silent" } : { status: "answered", text: answer };
  };
}

/** Whether a schema is one of zod 4. */
export function isZod(schema: DeclaredTool["schema"]): schema is z.ZodType {
  return typeof schema === "object" && typeof schema["safeParse" as never] === "function";
}
