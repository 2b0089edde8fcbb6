import { read, readString } from "./read.ts";

/** Errors by which frameworks steer a run, by name: LangGraph's, Mastra's and the Workflow SDK's. */
const CONTROL_FLOW: ReadonlySet<string> = new Set([
  "GraphInterrupt",
  "NodeInterrupt",
  "ParentCommand",
  "TripWire",
  "WorkflowSuspension",
]);

/**
 * Whether something thrown is not a failure: the host cancelled the call, or a framework steers its run by it.
 *
 * @param signal - The host's own signal; once it has aborted, whatever is thrown is of no interest.
 */
export function isControlFlow(thrown: unknown, signal?: AbortSignal): boolean {
  if (signal?.aborted === true) return true;
  // LangGraph: interrupts, commands to the parent graph, drained runs.
  if (read(thrown, "is_bubble_up") === true) return true;
  // Next.js: redirects and the like.
  if (readString(thrown, "digest")?.startsWith("NEXT_") === true) return true;
  return CONTROL_FLOW.has(readString(thrown, "name") ?? "");
}
