import type { DeclaredTool, Outcome, RunTool } from "@toolcontract/frameworks";

/** A peer that runs in this page. */
export interface Peer {
  readonly package: string;
  readonly version: string;
  /** Creates a host with the tool; returns what makes a call and reads the answer to it. */
  readonly host: (
    tool: DeclaredTool,
    run: RunTool,
  ) => (text: string) => Promise<string | undefined>;
  /** Why the peer never sees a call with these arguments, if so. */
  readonly unseen?: (text: string) => string | undefined;
  /** What a reader should know about an outcome. */
  readonly note?: (tool: DeclaredTool, outcome: Outcome) => string | undefined;
}
