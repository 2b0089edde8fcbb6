import type { DeclaredTool, MakeCall } from "@toolcontract/frameworks";
import type { CorpusTool } from "../../corpus.ts";
import { zodOfTool } from "../../zod-of-tool.ts";
import type { ReadText } from "../reading/readers.ts";

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

/** A tool as its host declares it; with JSON Schema if zod cannot read it. */
export function declared(tool: CorpusTool, schema: SchemaKind): DeclaredTool {
  const zod = schema === "zod" ? zodOfTool(tool) : undefined;
  return { name: tool.name, schema: zod ?? tool.inputSchema };
}

/**
 * The options of the contract wherever the message is measured: what it repairs by default, it says nothing of.
 */
export const MESSAGES = { logger: () => undefined, unwrapStrings: false } as const;
