import { type ValidatedCall, countCall } from "./call.ts";
import { type Message, type ServerResponse, holdsExactNumbers, isRecord } from "../wire/index.ts";
import type { ValidArguments } from "@toolcontract/core";
import { toResponse } from "./answer.ts";
import type { GateServices } from "./options.ts";

/** A request of the client's whose answer the gate wants to see. */
export type Pending =
  /** A page of tools, asked for when the list was in the given state. */
  | { readonly kind: "list"; readonly cursor: string | undefined; readonly state: number }
  /** A call that the contract found invalid and the server may take nevertheless. */
  | { readonly kind: "invalid"; readonly judged: ValidatedCall; readonly isSoft: boolean }
  /** A valid call with warnings that the model is to read. */
  | { readonly kind: "noted"; readonly note: Promise<string> };

/**
 * Judges an invalid call by what the server made of it: its refusal is put in the contract's words, and a success
 * shows that the server takes such arguments.
 *
 * @remarks A soft call that fails for another reason has run: nothing was wrong with it, and it must not be made again
 * because of us.
 */
export async function settleInvalid(
  response: ServerResponse,
  { judged, isSoft }: Extract<Pending, { readonly kind: "invalid" }>,
  services: GateServices,
): Promise<Message | undefined> {
  const { call, tool, checked } = judged;
  const rejection = readRejection(response);
  if (rejection === undefined || (isSoft && rejection.own.length > 0)) {
    const isTaken = response.kind === "result" && response.result["isError"] !== true;
    if (isTaken && tool) await countCall(judged, takenArguments(judged), services);
    return undefined;
  }
  const answer = await countCall(judged, checked, services);
  if (answer.status === "admitted" || services.settings.mode === "audit") return undefined;
  if (answer.status === "blocked" && services.settings.onExhausted === "forward") return undefined;
  const isTask = call.isTask && response.kind === "error";
  return withUpstream(toResponse({ ...call, isTask }, answer, rejection.own), response);
}

/** Adds the contract's note to a successful result. */
export function addNote(
  message: Message,
  response: ServerResponse,
  note: string,
): Message | undefined {
  if (note === "" || response.kind !== "result") return undefined;
  const { result } = response;
  const { content, isError, resultType = "complete" } = result;
  if (!Array.isArray(content) || isError === true || resultType !== "complete") return undefined;
  if (!holdsExactNumbers(result)) return undefined;
  const noted = [...(content as readonly unknown[]), { type: "text", text: note }];
  return { ...message, result: { ...result, content: noted } };
}

function takenArguments({ call, checked }: ValidatedCall): ValidArguments {
  const { arguments: input } = call;
  const advisories = checked?.advisories ?? [];
  return { status: "valid", input, output: input, advisories, repairs: [] };
}

/** What the server says of itself stays. */
function withUpstream(answer: Message, response: ServerResponse): Message {
  const { result } = answer;
  const theirs = response.kind === "result" ? response.result["_meta"] : undefined;
  if (!isRecord(result) || !isRecord(theirs)) return answer;
  return { ...answer, result: { ...result, _meta: { ...theirs, ...(result["_meta"] as object) } } };
}

const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;

/** Whoever refuses arguments says so at once. */
const MAX_READ = 2_000;

/** How the SDKs of several languages begin when they refuse arguments or a tool's name. */
const WORDS: readonly RegExp[] = [
  /^(?:MCP error -3260[23]: )?Input validation error\b/,
  /^(?:MCP error -3260[23]: )?Invalid (?:arguments for tool|tools\/call request|task creation result)\b/,
  /^(?:MCP error -3260[23]: )?(?:(?:Unknown|No such) tool\b|Tool not found\b|Tool .{1,600} not found$)/i,
  // Go, Rust and .NET, whose servers read arguments into types.
  /\bcannot unmarshal [a-z]+ into Go\b/,
  /\binvalid type: .{1,600}, expected\b/,
  /\bJSON value could not be converted to\b/,
  /\bvalidation errors? for\b/,
  /^\s*\[\s*\{[^]{0,400}"(?:code|path)"\s*:/,
];

/** A server's refusal, with whatever in it is more than words about the arguments. */
export interface UpstreamRejection {
  /** The content that the model still needs, after the contract's own. */
  readonly own: readonly unknown[];
}

/**
 * Reads an error answer to a call that the contract found invalid; undefined where it is a success or a fault of the
 * connection.
 */
export function readRejection(response: ServerResponse): UpstreamRejection | undefined {
  if (response.kind === "result") {
    const { isError, content } = response.result;
    if (isError !== true) return undefined;
    const parts: readonly unknown[] = Array.isArray(content) ? content : [];
    return { own: isAboutArguments(firstText(parts)) ? [] : parts };
  }
  const { code, message } = response.error;
  if (code === INVALID_PARAMS) return { own: [] };
  if (code !== INTERNAL_ERROR) return undefined;
  const text = typeof message === "string" ? message : "";
  return { own: text === "" || isAboutArguments(text) ? [] : [{ type: "text", text }] };
}

function isAboutArguments(text: string): boolean {
  const beginning = text.slice(0, MAX_READ);
  return WORDS.some((words) => words.test(beginning));
}

function firstText(content: readonly unknown[]): string {
  const [part] = content;
  const text = isRecord(part) ? part["text"] : undefined;
  return typeof text === "string" ? text : "";
}
