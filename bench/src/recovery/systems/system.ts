import type { CorpusTool } from "../../corpus.ts";
import { zodOfTool } from "../../zod-of-tool.ts";
import type { ReadText } from "../reading/readers.ts";

/** The outcome of a call: a message for the model, a run of the tool, or nothing the model would read. */
export type Outcome =
  | { readonly status: "answered"; readonly text: string }
  | { readonly status: "ran"; readonly args: unknown }
  | { readonly status: "silent" };

/** Makes a call with the arguments as the model wrote them. */
export type MakeCall = (text: string) => Promise<Outcome>;

/** How a host declares a tool's schema. */
export type SchemaKind = "zod" | "json-schema";

/** A package between a model and a tool. */
export interface System {
  readonly name: string;
  readonly schema: SchemaKind;
  /** The packages whose versions a result records. */
  readonly packages: readonly string[];
  /** Whether it gets arguments as a string; otherwise its host parses them. */
  readonly readsText: boolean;
  /** Reads its messages. */
  readonly read: ReadText;
  /** Creates a host with the tool. */
  readonly offer: (tool: CorpusTool) => Promise<MakeCall> | MakeCall;
  /** Closes what the hosts keep open. */
  readonly close?: () => Promise<void>;
}

/** A tool's schema as its host declares it; JSON Schema if zod cannot read it. */
export function declared(tool: CorpusTool, schema: SchemaKind) {
  return (schema === "zod" ? zodOfTool(tool) : undefined) ?? tool.inputSchema;
}

/** Runs a tool. */
export type RunTool = (args: unknown) => string;

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

/** Makes a call; returns what the model reads, undefined for nothing. */
type Answer = (text: string) => Promise<string | undefined>;
