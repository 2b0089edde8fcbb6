import type { CorpusTool } from "../../corpus.ts";
import type { ReadText } from "../reading/complaint.ts";

/** What came of a call: a text for the model, a run of the tool, or nothing that the model would read. */
export type Outcome =
  | { readonly status: "answered"; readonly text: string }
  | { readonly status: "ran"; readonly args: unknown }
  | { readonly status: "silent"; readonly why: string };

/** Makes a call with arguments as the model wrote them. */
export type MakeCall = (text: string) => Promise<Outcome>;

/** How a host writes a tool's schema. */
export type SchemaKind = "zod" | "json-schema";

/** A package that stands between a model and a tool. */
export interface System {
  readonly name: string;
  readonly schema: SchemaKind;
  /** The packages whose versions a result names. */
  readonly packages: readonly string[];
  /** Whether arguments come to it as text; others get them parsed by their host. */
  readonly readsText: boolean;
  /** Reads its texts. */
  readonly read: ReadText;
  /** Makes a host with the tool. */
  readonly offer: (tool: CorpusTool) => Promise<MakeCall> | MakeCall;
  /** Ends what the hosts hold open. */
  readonly close?: () => Promise<void>;
}

/** Remembers what its tool was run with. */
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
