import type { Blocked, Rejected } from "@toolcontract/core";
import type { WrapToolCallHook } from "langchain";
import { askPerson } from "./ask-person.ts";
import { callingMessageOf } from "./calling-message.ts";
import { conversationIdOf } from "./conversation-id.ts";
import { type GuardedReply, runGuarded } from "./guarded-run.ts";
import { readCall } from "./judged-call.ts";
import type { MiddlewareParts } from "./middleware-parts.ts";
import { createPendingAnswers, type PendingAnswers } from "./pending-answers.ts";
import { rejectionMessage } from "./rejection-message.ts";
import { runTool } from "./run-tool.ts";
import { isNamedTool, type NamedTool } from "./tool-definitions.ts";
import {
  type ToolHandler,
  type ToolReply,
  type ToolRequest,
  withArguments,
} from "./tool-request.ts";
import { turnIdOf } from "./turn-id.ts";
import { answerUnknownTool } from "./unknown-tool.ts";

/** Judges every call before it runs, and answers what is not valid. */
export function wrapToolCallFor(parts: MiddlewareParts): WrapToolCallHook {
  const pending = createPendingAnswers();
  return async (request, handler) => {
    const run: ToolHandler = async (sent) => runTool(sent, handler, parts.toolErrors);
    const { tool } = request;
    if (!isNamedTool(tool)) return answerUnknownTool(request, run, parts);
    return parts.escalate === "interrupt" && request.runtime.interrupt
      ? answerWithPerson(request, { tool, run, parts }, pending)
      : replyOf(request, await judge(request, { tool, run, parts }));
  };
}

interface Answering {
  readonly tool: NamedTool;
  readonly run: ToolHandler;
  readonly parts: MiddlewareParts;
}

async function judge(
  request: ToolRequest,
  { tool, run, parts }: Answering,
): Promise<GuardedReply<ToolReply>> {
  const { toolCall: call, state, runtime } = request;
  const { contract, definitions } = parts;
  return runGuarded(
    {
      judged: readCall({ call, messages: state.messages }, contract),
      tool: definitions.of(tool),
      conversationId: parts.conversationId ?? conversationIdOf(runtime),
      signal: runtime.signal,
      run: async (input) => run(withArguments(request, input)),
    },
    contract,
  );
}

async function answerWithPerson(
  request: ToolRequest,
  answering: Answering,
  pending: PendingAnswers,
): Promise<ToolReply> {
  const { toolCall, state } = request;
  // Ids of calls repeat in some providers' conversations, those of messages do not; a fork of a run keeps both.
  const turn = callingMessageOf(toolCall, state.messages)?.message;
  const key = JSON.stringify([turn && turnIdOf(turn), toolCall.id, toolCall.args]);
  const waiting = pending.get(key);
  const judged = waiting
    ? ({ status: "refused", answer: waiting } as const)
    : await judge(request, answering);
  if (judged.status === "executed" || !isFresh(judged.answer)) return replyOf(request, judged);
  const said = askPerson(request, judged.answer, pending, key);
  if (said.status === "told") return said.message;
  if (said.status === "nothing") return replyOf(request, judged);
  return replyOf(request, await judge(withArguments(request, said.args), answering));
}

/** Later calls of a blocked tool were told of already. */
function isFresh(answer: Rejected | Blocked): answer is Blocked {
  return answer.status === "blocked" && !answer.settled;
}

function replyOf(
  { toolCall: call, tool }: ToolRequest,
  guarded: GuardedReply<ToolReply>,
): ToolReply {
  if (guarded.status === "executed") return guarded.reply;
  return rejectionMessage({ call, tool }, guarded.answer);
}
