/** A tool in one run of a conversation. */
export interface RunOfTool {
  readonly tool: string;
  readonly conversationId?: string | undefined;
  readonly runId?: string | undefined;
  /** False if the host cannot tell the run from others: nothing may be kept for a later call. */
  readonly knowsRun?: boolean | undefined;
}

/** The latest name: each call asks for the one of its tool several times. */
let latest: Omit<RunOfTool, "knowsRun"> & { readonly key: string } = { tool: "", key: "" };

/** Names a tool in a run; no two share a name. */
export function runKey({ conversationId, runId, tool }: RunOfTool): string {
  const isKnown =
    latest.key !== "" &&
    latest.tool === tool &&
    latest.conversationId === conversationId &&
    latest.runId === runId;
  if (!isKnown) {
    const key = JSON.stringify([conversationId, runId, tool]);
    latest = { conversationId, runId, tool, key };
  }
  return latest.key;
}
