import type { CallContext } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";
import { checkCall } from "./check-call.ts";
import { isInputRefusal, READ_TOO_LATE, REFUSED_BY_TOOL } from "./host-errors.ts";
import { readCall } from "./judged-call.ts";
import { markExecuted } from "./mark-executed.ts";
import type { MiddlewareParts } from "./middleware-parts.ts";
import { refuseCall } from "./refuse-call.ts";
import { rejectionMessage } from "./rejection-message.ts";
import {
  type ToolHandler,
  type ToolReply,
  type ToolRequest,
  withArguments,
} from "./tool-request.ts";
import { readUnknownToolReply } from "./unknown-tool-reply.ts";

/**
 * Answers a call whose tool the agent does not know: other middleware may still run it, so it is asked first, and
 * only LangChain's own "not a valid tool" is replaced. Without arguments that can be read nobody is asked.
 */
export async function answerUnknownTool(
  request: ToolRequest,
  run: ToolHandler,
  parts: MiddlewareParts,
): Promise<ToolReply> {
  const { toolCall: call, state, runtime } = request;
  const { messages } = state;
  const tool = { name: call.name };
  const judged = readCall({ call, messages }, parts.contract);
  const refuse = async (
    found: Pick<CallContext, "tool" | "tools" | "checked">,
    one = judged,
  ): Promise<ToolReply> => rejectionMessage({ call }, await refuseCall(one, found, runtime, parts));
  let { args }: { args: unknown } = call;
  if (judged.isUnread) {
    const checked = await checkCall(judged, tool, parts.contract, runtime.signal);
    if (checked.status === "invalid") return refuse({ tool, checked });
    if (!isRecord(checked.input)) return refuse({ tool, checked: READ_TOO_LATE });
    args = checked.input;
  }
  try {
    const reply = await run(withArguments(request, args));
    const names = readUnknownToolReply(reply, call.name);
    if (names === undefined) {
      markExecuted(reply);
      return reply;
    }
    const counted = readCall({ call, messages, declaredTools: new Set(names) }, parts.contract);
    const others = names.filter((name) => name !== call.name);
    return await refuse({ tools: others.map((name) => ({ name })) }, counted);
  } catch (thrown) {
    if (!isInputRefusal(thrown, args)) throw thrown;
    return refuse({ tool, checked: REFUSED_BY_TOOL });
  }
}
