import type { DeclaredTool } from "@toolcontract/frameworks";

/** A framework or an SDK that stands between a model and a tool. */
export type PeerName = "AI SDK" | "LangChain" | "MCP SDK";

/** A call of a tool, for every peer. */
export interface PeerRequest {
  readonly tool: DeclaredTool;
  /** The code of a tool in zod, which runs beside the peers; of `tool`, only the name is read then. */
  readonly code?: string;
  /** The arguments as the model wrote them. */
  readonly text: string;
}

/** What a peer does with a call. */
export interface PeerAnswer {
  readonly peer: PeerName;
  /** Where the answer is from, with the peer's version: "run in this page with ai 7.0.173". */
  readonly how: string;
  /** How the tool was declared. */
  readonly declared: "zod" | "JSON Schema";
  readonly outcome: "answered" | "ran" | "ended the run" | "not asked";
  /** What the model reads; if the tool ran, the arguments it ran with, as JSON. Empty otherwise. */
  readonly text: string;
  /** What a reader should know about this answer, in sentences. */
  readonly note?: string;
}
