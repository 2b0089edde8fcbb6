import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { Blocked, Rejected } from "@toolcontract/core";
import type { WrapModelCallHook } from "langchain";
import { checkCall } from "./check-call.ts";
import { escalationMessage } from "./escalation-message.ts";
import { READ_TOO_LATE } from "./host-errors.ts";
import { readCall } from "./judged-call.ts";
import type { MiddlewareParts } from "./middleware-parts.ts";
import type { NativeCall } from "./native-call.ts";
import { promoteInvalidToolCalls } from "./promote-invalid-tool-calls.ts";
import { refuseCall } from "./refuse-call.ts";
import { rejectionMessage } from "./rejection-message.ts";
import { rewriteMessage } from "./rewrite-message.ts";
import { structuredOutputNames } from "./structured-output-names.ts";

type Hook = WrapModelCallHook;

/**
 * Asks the model and makes calls that could not be read ordinary ones.
 *
 * Structured output comes as a call too, but is read before any middleware is asked, and is never routed to a tool:
 * where its text is malformed the model is told and asked again at once.
 */
export async function askModel(
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
