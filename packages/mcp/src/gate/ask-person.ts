import type { AskRequest } from "@toolcontract/core";
import { errorClass } from "@toolcontract/core/adapter";
import { oneLine, quoteName } from "@toolcontract/explain/adapter";
import {
  canElicit,
  holdsExactNumbers,
  isRecord,
  type Message,
  metaOf,
  parseMessage,
} from "../wire/index.ts";
import type { CallInGate, ToolCallRequest } from "./call.ts";
import type { GateServices } from "./options.ts";

// A person at the client is asked by elicitation. In the stateless protocol, the answer to the call carries the question, and the
// client repeats the call with what they said.

/** Longer arguments are not shown: nobody could say what a person has agreed to. */
const MAX_SHOWN = 4_000;
/** A longer reason would move the arguments out of sight. */
const MAX_REASON = 500;

const KEY = "toolcontract";
const STATE = /^toolcontract\.([\w-]+)$/;
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** A call that a client repeats with a person's answer to what its first answer asked. */
export interface CarriedQuestion {
  /** What the client says was asked. Its seal proves it. */
  readonly request: unknown;
  /** What the person has answered, by the client's word. */
  readonly answer: unknown;
  /** The call as the server gets it: without question and answer, and with the server's own. */
  readonly message: Message & { readonly params: Message };
}

/** Reads a call that may carry an answer to a question of ours; undefined if it carries none. */
export function readCarried(message: Message): CarriedQuestion | undefined {
  const params = message["params"] as Message;
  const { requestState, inputResponses, ...rest } = params;
  const text = typeof requestState === "string" ? STATE.exec(requestState)?.[1] : undefined;
  if (text === undefined) return undefined;
  // A client may send anything.
  const { request, own } = parseMessage(Buffer.from(text, "base64url")) ?? {};
  const answer = isRecord(inputResponses) ? inputResponses[KEY] : undefined;
  return {
    request,
    answer,
    message: { ...message, params: { ...rest, ...(isRecord(own) && serversOf(own)) } },
  };
}

/** What the server had asked the client itself, before this question. */
function serversOf({ inputResponses, requestState }: Message): Message {
  return {
    ...(inputResponses !== undefined && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
  };
}

/** What came of asking: a grant, or an answer to the call with which the client asks the person. */
export type Asking = { readonly grant: string } | { readonly question: Message };

/**
 * Asks the person at the client about a call, by elicitation; returns undefined if they do not agree or cannot be asked.
 *
 * @param carried - The question that the call answers, if it does.
 * @throws The reason of the signal if the call is cancelled meanwhile.
 */
export async function askClient(
  request: AskRequest,
  { call, link, flight }: CallInGate,
  services: GateServices,
  carried?: CarriedQuestion,
): Promise<Asking | undefined> {
  const params = services.grantFor && !call.isTask ? questionOf(request) : undefined;
  if (params === undefined) return undefined;
  if (carried && isAbout(carried.request, request)) {
    return agreed(carried.answer, carried.request, services);
  }
  const question = carryQuestion(call, request, params, carried);
  if (question) return { question };
  const signal = flight.signal();
  const asking = link.elicit?.(params, call.message, signal);
  if (asking === undefined) return undefined;
  try {
    return await agreed(await asking, request, services);
  } catch (thrown) {
    signal.throwIfAborted();
    reportFailed(thrown, services);
    return undefined;
  }
}

function questionOf({ tool, reasons, arguments: args }: AskRequest): Message | undefined {
  const name = quoteName(tool);
  // In JSON, only its layout breaks lines.
  const lines = JSON.stringify(args, undefined, 2).split("\n");
  const shown = lines.map((line) => oneLine(line, Number.MAX_SAFE_INTEGER)).join("\n");
  if (shown.length > MAX_SHOWN) return undefined;
  const why = reasons.map((reason) => `\u2022 ${oneLine(reason.why, MAX_REASON)}`).join("\n");
  const agree = {
    type: "boolean",
    title: "Run it once",
    description: `Run '${name}' once, with these arguments`,
  };
  return {
    message: `Tool '${name}' has not run: a person must agree first.\n\n${why}\n\nArguments: ${shown}`,
    requestedSchema: { type: "object", properties: { agree }, required: ["agree"] },
  };
}

/** Whether a question that a client brings back is about this call; its seal is checked when it is granted. */
function isAbout(carried: unknown, { tool, digest, reasons }: AskRequest): carried is AskRequest {
  return (
    isRecord(carried) &&
    carried["tool"] === tool &&
    carried["digest"] === digest &&
    JSON.stringify(carried["reasons"]) === JSON.stringify(reasons)
  );
}

/**
 * The answer to a call that carries a question to the person at the client, as the stateless protocol has it: the client
 * repeats the call with what they said. Nothing is kept here, so any process may get the repeated call.
 *
 * @param carried - The question that the call answers, if it does.
 * @returns Undefined if the client cannot ask, or the call could not be written anew exactly.
 */
function carryQuestion(
  { id, isModern, message }: ToolCallRequest,
  request: AskRequest,
  params: Message,
  carried: CarriedQuestion | undefined,
): Message | undefined {
  const sent = message["params"] as Message;
  if (!isModern || !canElicit(metaOf(message)?.[CAPABILITIES]) || !holdsExactNumbers(sent)) {
    return undefined;
  }
  const { inputResponses, requestState } = carried?.message.params ?? sent;
  const state = JSON.stringify({ request, own: { inputResponses, requestState } });
  const result = {
    resultType: "input_required",
    inputRequests: { [KEY]: { method: "elicitation/create", params: { mode: "form", ...params } } },
    requestState: `${KEY}.${Buffer.from(state).toString("base64url")}`,
  };
  return { jsonrpc: "2.0", id, result };
}

async function agreed(
  answer: unknown,
  request: AskRequest,
  services: GateServices,
): Promise<Asking | undefined> {
  if (!hasAgreed(answer)) return undefined;
  try {
    const grant: unknown = await services.grantFor?.(request);
    return typeof grant === "string" ? { grant } : undefined;
  } catch (thrown) {
    reportFailed(thrown, services);
    return undefined;
  }
}

/** A client that accepts without an answer has asked nobody. */
function hasAgreed(answer: unknown): boolean {
  if (!isRecord(answer) || answer["action"] !== "accept") return false;
  return isRecord(answer["content"]) && answer["content"]["agree"] === true;
}

function reportFailed(thrown: unknown, { contract }: GateServices): void {
  const fields = { level: "warn", package: "mcp", error: errorClass(thrown) } as const;
  contract.settings.log(fields, "A person could not be asked about a call");
}
