/** A tool in one run of a conversation. */
export interface RunOfTool {
  readonly tool: string;
  readonly conversationId?: string | undefined;
  readonly runId?: string | undefined;
  /** False if the host cannot tell the run from others: nothing may be kept for a later call. */
  readonly knowsRun?: boolean | undefined;
}

/** Names a tool in a run; no two share a name. */
export function keyOf({ conversationId, runId, tool }: RunOfTool): string {
  return JSON.stringify([conversationId, runId, tool]);
}
