import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonSchema } from "@toolcontract/core";

/** A tool as the model saw it. */
interface RealTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
}

/** A call that a model made. */
export interface RealCall {
  readonly id: string;
  readonly source: string;
  readonly model: string;
  /** The name that the model used. */
  readonly called: string;
  /** Whether a tool of this name was offered. */
  readonly known: boolean;
  /** The tool; of an unknown name the one that was obviously meant. */
  readonly tool: RealTool | null;
  /** The names of the tools, if the called one was not among them. */
  readonly offered?: readonly string[];
  /** The text of the arguments. */
  readonly arguments: string;
  /** Whether that is JSON. */
  readonly json: boolean;
  /** Whether ajv accepts the arguments; null if it cannot read the schema. */
  readonly valid: boolean | null;
  readonly faults?: readonly RealFault[];
  /** The accepted values of each expected call of the tool, by field; an empty string means that the field may be left out. */
  readonly answers: readonly Readonly<Record<string, readonly unknown[]>>[] | null;
}

/** What a script found wrong with a call, by comparing it with its schema. */
interface RealFault {
  readonly kind: string;
  readonly at: string;
}

/** A call of a tool that was offered. */
export type KnownCall = RealCall & { readonly tool: RealTool };

/** Reads the calls of a file, or those of `dev.jsonl` in a folder. */
export function readRealCalls(path: string): readonly RealCall[] {
  const file = path.endsWith(".jsonl") ? path : join(path, "dev.jsonl");
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RealCall);
}

/** Keeps the first of the calls that send the same to the same tool. */
export function distinctCalls<Call extends RealCall>(calls: readonly Call[]): readonly Call[] {
  const seen = new Set<string>();
  return calls.filter(({ called, tool, arguments: text, offered }) => {
    const key = JSON.stringify([called, tool, text, offered]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Whether a call names an offered tool. */
export function isKnown(call: RealCall): call is KnownCall {
  return call.known && call.tool !== null;
}

/** Whether the answers can be compared with the arguments: in these tasks they are values where the schema asks for strings. */
export function hasComparableAnswers({ source, answers }: RealCall): boolean {
  return answers !== null && !/\/(?:simple_)?java/.test(source);
}
