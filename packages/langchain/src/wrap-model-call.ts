import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { type Blocked, EscalationError, type Rejected, countAttempts } from "@toolcontract/core";
import type { WrapModelCallHook } from "langchain";
import { isRecord } from "@toolcontract/core/adapter";
import { escalationMessage, escalationOf, freshEscalations, isStuck } from "./escalation.ts";
import type { MiddlewareParts } from "./options.ts";
import { isNamedTool } from "./tool-definitions.ts";
import { rejectionMessage, turnsFromMessages } from "./history.ts";
import { checkCall, refuseCall } from "./guarded-run.ts";
import { READ_TOO_LATE } from "./host-errors.ts";
import { readCall } from "./read-call.ts";
import type { NativeCall } from "./messages.ts";
import { promoteInvalidToolCalls } from "./promote.ts";
import { rewriteMessage } from "./rewrite-message.ts";

type Hook = WrapModelCallHook;
type Request = Parameters<Hook>[0];

/** Escalates before the model is asked again, and makes calls that could not be read ordinary ones. */
export function wrapModelCallFor(parts: MiddlewareParts): Hook {
  return async (request, handler) => {
    const ending = endOf(request, parts);
    if (ending) return ending;
    const sent = parts.escalate === "drop-tool" ? withoutBlocked(request, parts) : request;
    return askModel(sent, handler, parts);
  };
}

/** The message in the model's place, where the run is to end. */
function endOf({ state }: Request, { escalate }: MiddlewareParts): AIMessage | undefined {
  const { messages } = state;
  const fresh = freshEscalations(messages);
  const [first] = fresh;
  if (escalate === "throw" && first) throw new EscalationError(first);
  if (escalate === "end" && fresh.length > 0) return escalationMessage(fresh);
  // The model was told to stop and did nothing else than call a blocked tool again.
  const last = isStuck(messages) ? escalationOf(messages) : undefined;
  if (last && escalate === "throw") throw new EscalationError(last);
  return last && escalationMessage([last]);
}

function withoutBlocked(request: Request, parts: MiddlewareParts): Request {
  const turns = turnsFromMessages(request.state.messages);
  const { scope } = parts.contract.settings;
  const isBlocked = (tool: unknown): boolean =>
    isNamedTool(tool) && countAttempts(turns, tool.name, scope).blocked;
  const left = request.tools.filter((tool) => !isBlocked(tool));
  // Without any tool some providers refuse a history that has calls in it.
  if (left.length === request.tools.length || left.length === 0) return request;
  const isForced = isBlocked({ name: forcedName(request.toolChoice) });
  return { ...request, tools: left, ...(isForced && { toolChoice: "auto" as const }) };
}

/** The name of the tool that a choice forces, in any form that a model takes. */
function forcedName(choice: unknown): unknown {
  if (!isRecord(choice)) return choice;
  const { function: named = choice } = choice;
  return isRecord(named) ? named["name"] : undefined;
}

/**
 * Asks the model and makes calls that could not be read ordinary ones.
 *
 * Structured output comes as a call too, but is read before any middleware is asked, and is never routed to a tool:
 * where its text is malformed the model is told and asked again at once.
 */
async function askModel(
  request: Parameters<Hook>[0],
  handler: Parameters<Hook>[1],
  parts: MiddlewareParts,
): Promise<AIMessage> {
  const told: BaseMessage[] = [];
  const isOutputName = structuredOutputNames(request);
  for (;;) {
    const reply: unknown = await handler({ ...request, messages: [...request.messages, ...told] });
    // Structured output that was read comes as an object of another kind.
    if (!AIMessage.isInstance(reply)) return reply as AIMessage;
    const message = promoteInvalidToolCalls(reply, parts);
    const calls: readonly NativeCall[] = message.tool_calls ?? [];
    const outputs = calls.filter(({ name }) => isOutputName(name));
    // LangChain has answered these already, beside the very message that the model sent.
    if (outputs.some(({ toolcontract }) => toolcontract === undefined)) return reply;
    if (outputs.length === 0) return message;
    if (outputs.length < calls.length) {
      const others = calls.filter((call) => !outputs.includes(call));
      return rewriteMessage(
        message,
        others.map((call) => ({ ...call, id: call.id ?? "" })),
      );
    }
    told.push(message);
    const history = [...request.state.messages, ...told];
    const { runtime } = request;
    const answers = await Promise.all(
      outputs.map(async (call) => [call, await refuse(call, history, runtime, parts)] as const),
    );
    const spent = answers.flatMap(([, one]) => (one.status === "blocked" ? [one.escalation] : []));
    if (spent.length > 0) return escalationMessage(spent);
    told.push(...answers.map(([call, answer]) => rejectionMessage({ call }, answer)));
  }
}

async function refuse(
  call: NativeCall,
  messages: readonly BaseMessage[],
  runtime: Parameters<Hook>[0]["runtime"],
  parts: MiddlewareParts,
): Promise<Rejected | Blocked> {
  const judged = readCall({ call, messages }, parts.contract);
  const tool = { name: call.name };
  const found = await checkCall(judged, tool, parts.contract, runtime.signal);
  const checked = found.status === "valid" ? READ_TOO_LATE : found;
  return refuseCall(judged, { tool, checked }, runtime, parts);
}

type ModelRequest = Parameters<WrapModelCallHook>[0];

/** Tells the names of the calls by which LangChain asks for structured output from those of tools. */
function structuredOutputNames({ responseFormat, tools }: ModelRequest): (name: string) => boolean {
  const format: unknown = responseFormat;
  const formats: readonly unknown[] = Array.isArray(format) ? format : [format];
  const given = new Set(formats.flatMap(namesOf));
  const ofTools = new Set(tools.filter(isNamedTool).map(({ name }) => name));
  return (name) => !ofTools.has(name) && (name.startsWith("extract-") || given.has(name));
}

/** A strategy has a name; a schema gives one by its title, which zod keeps in its metadata. */
function namesOf(format: unknown): readonly unknown[] {
  if (!isRecord(format)) return [];
  const { name, title, meta } = format;
  const metadata: unknown = typeof meta === "function" ? meta.call(format) : undefined;
  return [name, title, isRecord(metadata) ? metadata["title"] : undefined];
}
