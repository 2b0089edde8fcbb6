import type {
  Admission,
  CallContext,
  CheckResult,
  InvalidArguments,
  ToolCall,
  ToolDefinition,
} from "@toolcontract/core";
import type { GateServices } from "./gate-services.ts";
import type { Link } from "./link.ts";
import type { TurnOfCall } from "./model-turns.ts";
import type { ToolCallRequest } from "./tool-call-request.ts";
import { toArguments } from "./verdict.ts";

/** A call on its way through the gate. */
export interface CallInGate {
  readonly call: ToolCallRequest;
  readonly link: Link;
  readonly turn: TurnOfCall;
}

/** A call that the contract has judged. */
export interface JudgedCall extends CallInGate {
  /** The called tool; undefined where the server lists none of that name. */
  readonly tool: ToolDefinition | undefined;
  /** The server's tools, for a name that is none of them. */
  readonly listed: readonly ToolDefinition[];
  /** What is wrong with the arguments of a known tool. */
  readonly checked: InvalidArguments | undefined;
}

/** The call as core knows it. */
export function toToolCall({ id, name, arguments: args }: ToolCallRequest): ToolCall {
  return { id: String(id), name, arguments: toArguments(args) };
}

/** Counts a call by what was found in the end; an invalid one gets its answer. */
export async function countCall(
  judged: JudgedCall,
  checked: CheckResult | undefined,
  { contract, runs }: GateServices,
  signal?: AbortSignal,
): Promise<Admission> {
  const { call, tool, listed } = judged;
  const context = { ...contextOf(judged, runs), ...(signal && { signal }) };
  if (tool === undefined) return contract.admit(toToolCall(call), { ...context, tools: listed });
  return contract.admit(toToolCall(call), { ...context, tool, ...(checked && { checked }) });
}

/** Whose call it is and in which turn and run. */
export function contextOf(
  { link, turn, tool }: CallInGate & Pick<JudgedCall, "tool">,
  runs: GateServices["runs"],
): CallContext {
  const { attemptKey } = link;
  return {
    // Core wants a name where the transport has none.
    conversationId: attemptKey === "" ? "mcp" : attemptKey,
    turnId: turn.turnId,
    runId: runs.runOf(attemptKey, tool),
  };
}
