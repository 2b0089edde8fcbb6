import type { CorpusTool } from "../../corpus.ts";
import type { ReadText } from "../reading/readers.ts";

/** The outcome of a call: a message for the model, a run of the tool, or nothing the model would read. */
export type Outcome =
  | { readonly status: "answered"; readonly text: string }
  | { readonly status: "ran"; readonly args: unknown }
  | { readonly status: "silent"; readonly why: string };

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

/** Records the arguments a tool runs with. */
export function recordRuns(): {
  readonly runs: unknown[];
  readonly run: (args: unknown) => string;
} {
  const runs: unknown[] = [];
  return {
    runs,
    run: (args) => {
      runs.push(args);
      return "done";
    },
  };
}
