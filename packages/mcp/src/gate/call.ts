import type { ToolCall } from "@toolcontract/core";
import {
  fingerprint,
  holdsFiniteNumbers,
  isRecord,
  type Message,
  metaOf,
  type Problem,
  readRequestId,
  type RequestId,
  INVALID_REQUEST,
  INVALID_PARAMS,
} from "../wire/index.ts";
import type { InFlight } from "./in-flight.ts";
import type { Link } from "./link.ts";
import type { TurnOfCall } from "./model-turns.ts";
import { toArguments } from "./validation.ts";

/** The member of a request's `_meta` by which a client says that it sends a call again. */
const IDEMPOTENCY_KEY = "dev.toolcontract/idempotencyKey";

const PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";

/** A `tools/call` request that the contract may validate. */
export interface ToolCallRequest {
  readonly id: RequestId;
  readonly name: string;
  readonly arguments: unknown;
  /** The client wants a task: the response has no result that could carry a message. */
  readonly isTask: boolean;
  /** The stateless protocol (2026-07-28 or later), in which every result names its type. */
  readonly isModern: boolean;
  readonly message: Message;
}

/** A call on its way through the gate. */
export interface CallInGate {
  readonly call: ToolCallRequest;
  readonly link: Link;
  readonly turn: TurnOfCall;
  readonly flight: InFlight;
}

/** A request that servers may take for a tool call, although it is not one. */
export interface MalformedCall {
  /** Undefined if no response can be matched to it. */
  readonly id: RequestId | undefined;
  readonly name: string | undefined;
  readonly problem: Problem;
}

/**
 * Reads a `tools/call` request.
 *
 * @remarks A retry with `requestState` or `inputResponses` is a call like any other. It repeats the arguments, and
 * anybody can add these fields to a first call.
 */
export function readToolCall(message: Message): ToolCallRequest | MalformedCall {
  const id = readRequestId(message["id"]);
  const params = isRecord(message["params"]) ? message["params"] : undefined;
  const name = typeof params?.["name"] === "string" ? params["name"] : undefined;
  const malformed = (code: number, words: string): MalformedCall => ({
    id,
    name,
    problem: { code, message: words, id: id ?? null },
  });
  if (id === undefined) {
    const words = "the id of a tool call must be a string or an integer up to 2^53";
    return malformed(INVALID_REQUEST, words);
  }
  if (params === undefined || name === undefined) {
    return malformed(INVALID_PARAMS, "a tool call needs params with the name of a tool");
  }
  if (!holdsFiniteNumbers(params["arguments"])) {
    const words = "a number in the arguments is too large for double precision";
    return malformed(INVALID_PARAMS, words);
  }
  return {
    id,
    name,
    arguments: params["arguments"],
    isTask: isRecord(params["task"]),
    isModern: typeof metaOf(message)?.[PROTOCOL_VERSION] === "string",
    message,
  };
}

/** Converts the request to core's `ToolCall`. */
export function toToolCall({ id, name, arguments: args }: ToolCallRequest): ToolCall {
  return { id: String(id), name, arguments: toArguments(args) };
}

/** The key under which a client sends this call again, which is its own; undefined for a call that is none but itself. */
export function idempotencyKeyOf({
  call,
  link,
}: Pick<CallInGate, "call" | "link">): string | undefined {
  const key = metaOf(call.message)?.[IDEMPOTENCY_KEY];
  if (typeof key !== "string" || key === "") return undefined;
  return JSON.stringify([link.caller ?? link.attemptKey, fingerprint(key)]);
}
