import type { AIMessage } from "@langchain/core/messages";
import { countAttempts, EscalationError } from "@toolcontract/core";
import type { WrapModelCallHook } from "langchain";
import { isRecord } from "@toolcontract/core/adapter";
import { askModel } from "./ask-model.ts";
import { escalationMessage } from "./escalation-message.ts";
import { escalationOf, freshEscalations, isStuck } from "./escalation-of.ts";
import type { MiddlewareParts } from "./middleware-parts.ts";
import { isNamedTool } from "./tool-definitions.ts";
import { turnsFromMessages } from "./turns-from-messages.ts";

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
