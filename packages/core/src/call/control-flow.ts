import { readMember } from "@toolcontract/explain/adapter";

/** Errors by which frameworks steer a run, by name: LangGraph's, Mastra's and the Workflow SDK's. */
const CONTROL_FLOW: ReadonlySet<unknown> = new Set([
  "GraphInterrupt",
  "NodeInterrupt",
  "ParentCommand",
  "TripWire",
  "WorkflowSuspension",
]);

// Two installs of the package recognise each other's errors.
const NOT_MADE = Symbol.for("toolcontract.call-not-made");

/** Those after which the same call goes on, once somebody has answered. */
const PAUSES: ReadonlySet<unknown> = new Set([
  "GraphInterrupt",
  "NodeInterrupt",
  "WorkflowSuspension",
]);

/** Whether something thrown pauses the run: the same call is made again when it goes on. */
export function isPause(thrown: unknown): boolean {
  return PAUSES.has(readMember(thrown, "name"));
}

/** What a host throws in place of a tool's result if the call never reached the tool: nothing has happened, and nothing is counted. */
export class CallNotMade extends Error {
  override readonly name: string = "CallNotMade";

  constructor(message?: string, options?: ErrorOptions) {
    super(message, options);
    // A declaration of this member cannot be written without the type checker.
    Object.defineProperty(this, NOT_MADE, { value: true });
  }
}

/** Whether something thrown says that the call never reached its tool. */
export function isCallNotMade(thrown: unknown): boolean {
  return readMember(thrown, NOT_MADE) === true;
}

/**
 * Whether something thrown is not a failure: the host cancelled the call or could not make it, or a framework steers its run by it.
 *
 * @param signal - The host's own signal; once it has aborted, whatever is thrown is ignored. Without it, an
 * `AbortError` is a failure: a tool may give up a request of its own.
 */
export function isControlFlow(thrown: unknown, signal?: AbortSignal): boolean {
  if (signal?.aborted === true || isCallNotMade(thrown)) return true;
  // LangGraph: interrupts, commands to the parent graph, drained runs.
  if (readMember(thrown, "is_bubble_up") === true) return true;
  // Next.js: redirects and the like.
  const digest = readMember(thrown, "digest");
  if (typeof digest === "string" && digest.startsWith("NEXT_")) return true;
  return CONTROL_FLOW.has(readMember(thrown, "name"));
}
