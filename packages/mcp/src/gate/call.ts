import { type Message, type RequestId, isRecord, readRequestId } from "../wire/index.ts";
import type {
  Admission,
  CallContext,
  CheckResult,
  InvalidArguments,
  ToolCall,
  ToolDefinition,
} from "@toolcontract/core";
import type { GateServices } from "./options.ts";
import type { Link } from "./link.ts";
import type { TurnOfCall } from "./turns-and-runs.ts";
import { toArguments } from "./validation.ts";

const PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";

/** A `tools/call` that the contract may judge. */
export interface ToolCallRequest {
  readonly id: RequestId;
  readonly name: string;
  readonly arguments: unknown;
  /** True where the client wants a task, whose call has no result that could say what was wrong. */
  readonly isTask: boolean;
  /** True in the era without sessions, in which every result names its type. */
  readonly isModern: boolean;
  readonly message: Message;
}

/**
 * Reads a tool call; undefined for everything else, and for calls that only the server can answer: malformed ones,
 * and the later rounds of one that was judged already.
 */
export function readToolCall(message: Message): ToolCallRequest | undefined {
  if (message["method"] !== "tools/call") return undefined;
  const id = readRequestId(message["id"]);
  const params = message["params"];
  if (id === undefined || !isRecord(params)) return undefined;
  const name = params["name"];
  if (typeof name !== "string" || "inputResponses" in params || "requestState" in params) {
    return undefined;
  }
  const meta = params["_meta"];
  return {
    id,
    name,
    arguments: params["arguments"],
    isTask: isRecord(params["task"]),
    isModern: isRecord(meta) && typeof meta[PROTOCOL_VERSION] === "string",
    message,
  };
}

/** A call on its way through the gate. */
export interface CallInGate {
  readonly call: ToolCallRequest;
  readonly link: Link;
  readonly turn: TurnOfCall;
}

/** A call that the contract has judged. */
export interface ValidatedCall extends CallInGate {
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
  judged: ValidatedCall,
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
  { link, turn, tool }: CallInGate & Pick<ValidatedCall, "tool">,
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
