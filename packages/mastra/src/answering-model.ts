import { EscalationError } from "@toolcontract/core";
import {
  type AnswerJudging,
  answerText,
  textParts,
  unifiedFinishReason,
} from "@toolcontract/core/adapter";
import type { ModelAnswer, PromptMessage, PromptRequest, StreamPart } from "./mastra.ts";

type Ask = (request: PromptRequest) => Promise<ModelAnswer>;

/** Asks for a structured answer, and again in the same turn while it does not fit; any other request is asked as it is. */
export async function askForAnswer(
  request: PromptRequest,
  ask: Ask,
  { contract, conversationId, escalate }: AnswerJudging,
): Promise<ModelAnswer> {
  const { schema } = request.responseFormat ?? {};
  if (schema === undefined) return ask(request);
  const runId = globalThis.crypto.randomUUID();
  let { prompt } = request;
  for (;;) {
    const answer = await ask({ ...request, prompt });
    const parts = await readAll(answer.stream);
    const finish = parts.find(({ type }) => type === "finish");
    const hasCalls = parts.some(({ type }) => type === "tool-call");
    if (finish === undefined || hasCalls) return { ...answer, stream: streamOf(parts) };
    const text = parts
      .map(({ type, delta }) => (type === "text-delta" ? (delta ?? "") : ""))
      .join("");
    const finishReason = unifiedFinishReason(finish.finishReason);
    const judged = await contract.answer(text, {
      schema,
      conversationId: conversationId ?? "mastra",
      knowsConversation: conversationId !== undefined,
      runId,
      ...(finishReason !== undefined && { finishReason }),
    });
    if (judged.status === "rejected") {
      prompt = askedAgain(prompt, text, judged.content);
      continue;
    }
    if (judged.status === "blocked") {
      if (escalate === "throw") throw new EscalationError(judged.escalation);
      return { ...answer, stream: streamOf(parts) };
    }
    const shown = answerText(text, judged, contract);
    return { ...answer, stream: streamOf(shown === text ? parts : withText(parts, shown)) };
  }
}

async function readAll(stream: ReadableStream<StreamPart>): Promise<readonly StreamPart[]> {
  const reader = stream.getReader();
  const parts: StreamPart[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return parts;
    parts.push(value);
  }
}

function streamOf(parts: readonly StreamPart[]): ReadableStream<StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

/** The parts with this text in place of their own. */
function withText(parts: readonly StreamPart[], text: string): readonly StreamPart[] {
  const written: readonly StreamPart[] = textParts(text, "answer");
  return parts.flatMap((part) => {
    if (part.type === "finish") return [...written, part];
    return part.type.startsWith("text-") ? [] : [part];
  });
}

/** The conversation with what was wrong with the answer. */
function askedAgain(
  prompt: readonly PromptMessage[],
  text: string,
  content: string,
): readonly PromptMessage[] {
  const messages = [
    ...(text === "" ? [] : [{ role: "assistant", content: [{ type: "text", text }] }]),
    { role: "user", content: [{ type: "text", text: content }] },
  ] as unknown as readonly PromptMessage[];
  return [...prompt, ...messages];
}
