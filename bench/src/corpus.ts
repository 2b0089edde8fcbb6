import type { JsonSchema, ToolDefinition } from "@toolcontract/core";

/** A tool with a schema, as a host has it. */
export type CorpusTool = ToolDefinition & { readonly inputSchema: JsonSchema };

/** A call that its tool accepts. */
export interface CorpusCall {
  readonly tool: CorpusTool;
  readonly args: Readonly<Record<string, unknown>>;
  /** The arguments as the model writes them. */
  readonly text: string;
}

/** A set of valid calls, from one source. */
export interface Corpus {
  readonly name: string;
  readonly calls: readonly CorpusCall[];
}

/** Makes a call of a corpus. */
export function corpusCall(tool: CorpusTool, args: Readonly<Record<string, unknown>>): CorpusCall {
  return { tool, args, text: JSON.stringify(args) };
}

/** At most so many of the calls, spread evenly over all of them. */
export function thinOut(calls: readonly CorpusCall[], most: number): readonly CorpusCall[] {
  const step = Math.ceil(calls.length / most);
  return calls.filter((_, index) => index % step === 0);
}
