import type { ToolResult } from "../call/index.ts";
import { isAnyObject } from "../kit/index.ts";
import { type TextCall, type ToolCall, givenName, madeId } from "../shared/index.ts";
import { eitherOf, listOf, memberOf } from "./member.ts";

/** What a message of a model holds for `handleTurn`: its calls, and the rest of the context that comes from the API. */
export interface WireTurn {
  /** Every call of the message that the host must answer, in order. */
  readonly calls: readonly (ToolCall | TextCall)[];
  /** What the attempts are counted by: the message, or the program that calls while the model reads nothing. */
  readonly turnId?: string;
  /** The reason that the message ended; left out if none came, or if what was cut is not a call. */
  readonly finishReason?: string | null;
}

/** A call that was handled, as `handle`, `handleTurn` and `admit` give it. */
export interface Answered {
  readonly result: ToolResult;
  /** What the tool returned. */
  readonly output?: unknown;
}

/** A call as its API has it. */
export interface RawCall {
  readonly id: unknown;
  readonly name: unknown;
  readonly arguments?: unknown;
  /** The text of a call of free text. */
  readonly text?: unknown;
  /** What only its API has, for the answer. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** The parts of a message, as its API has them. */
export interface RawTurn {
  readonly calls: readonly RawCall[];
  readonly turnId: string | undefined;
  /** The message, if its turn is that of a program: the ids of calls that came without one are made from it. */
  readonly messageId?: string | undefined;
  readonly finishReason: string | null | undefined;
}

/** Arguments that are refused as cut: for a call that is not complete, though what arrived of it does not show that. */
export const CUT = "{";

/** Makes the turn of a message: an id for each call that came without one. */
export function turnOf({ calls, turnId, messageId = turnId, finishReason }: RawTurn): WireTurn {
  return {
    calls: calls.map((call, index) => callOf(call, messageId && `${messageId}:${index}`)),
    ...(turnId !== undefined && { turnId }),
    ...(finishReason !== undefined && { finishReason }),
  };
}

function callOf(raw: RawCall, place: string | undefined): ToolCall | TextCall {
  const { id, more, text } = raw;
  const came = typeof id === "string" ? id : null;
  const wire = came ? more : { ...more, id: came };
  const named = {
    id: came || madeId(place || undefined),
    name: givenName(raw.name),
    ...(wire && { wire }),
  };
  return typeof text === "string" ? { ...named, text } : { ...named, arguments: raw.arguments };
}

/** A call whose name and arguments are in its member `function`, as most chat APIs have it. */
export function functionCall(call: unknown): RawCall {
  return {
    id: memberOf(call, "id"),
    name: memberOf(call, "function", "name"),
    arguments: memberOf(call, "function", "arguments"),
  };
}

/** The calls of a list in the words of an SDK, or in those of the wire, which is noted for their answers. */
export function camelCalls(message: unknown): readonly RawCall[] {
  const more = memberOf(message, "toolCalls") === undefined ? { isRaw: true } : undefined;
  return listOf(eitherOf(message, "toolCalls", "tool_calls"))
    .filter(isAnyObject)
    .map((call) => ({ ...functionCall(call), ...(more && { more }) }));
}

/** The id of an answer under the name that its call came with. */
export function camelId(
  result: ToolResult,
): { readonly toolCallId: string } | { readonly tool_call_id: string } {
  const id = answeredId(result);
  return result.wire?.["isRaw"] === true ? { tool_call_id: id } : { toolCallId: id };
}

/** The id that an answer carries: the one that came, which may be empty, or the one that was made. */
export function answeredId({ toolCallId, wire }: ToolResult): string {
  const came = wire?.["id"];
  return typeof came === "string" ? came : toolCallId;
}

/** The program that made the calls, if one made them all: it goes on without the model, so they are one attempt. */
export function programOf(callers: readonly unknown[]): string | undefined {
  const [first] = callers;
  return typeof first === "string" && callers.every((one) => one === first) ? first : undefined;
}
