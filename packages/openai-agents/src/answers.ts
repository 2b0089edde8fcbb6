import { EscalationError } from "@toolcontract/core";
import { type AnswerJudging, answerText, isRecord } from "@toolcontract/core/adapter";
import type { AgentInputItem } from "@openai/agents";
import type { ModelRequest, ModelResponse } from "./sdk.ts";

/** Judges the answers to one request: what is asked next, or undefined if the answer stands. */
export type JudgeAnswer = (
  response: Pick<ModelResponse, "output" | "responseId">,
  finishReason: string | undefined,
) => Promise<ModelRequest | undefined>;

/** Creates what judges the final answers of a run with an `outputType`; undefined for a request that has none. */
export function createAnswerJudge(
  first: ModelRequest,
  { contract, conversationId, escalate }: AnswerJudging,
): JudgeAnswer | undefined {
  const { outputType } = first;
  if (!isRecord(outputType) || !isRecord(outputType["schema"])) return undefined;
  const { schema } = outputType;
  const runId = globalThis.crypto.randomUUID();
  let request = first;
  return async (response, finishReason) => {
    const { output } = response;
    if (output.some(({ type }) => type === "function_call")) return undefined;
    const said = textsIn(output);
    const text = said.map((part) => part.text).join("");
    const answer = await contract.answer(text, {
      schema,
      conversationId: conversationId ?? "openai-agents",
      knowsConversation: conversationId !== undefined,
      runId,
      ...(finishReason !== undefined && { finishReason }),
    });
    if (answer.status === "rejected") {
      request = askedAgain(request, response, answer.content);
      return request;
    }
    if (answer.status === "blocked") {
      if (escalate === "throw") throw new EscalationError(answer.escalation);
      // By a bare JSON Schema the SDK would take whatever is JSON for the answer.
      show(answer.content, said);
      return undefined;
    }
    const shown = answerText(text, answer, contract);
    if (shown !== text) show(shown, said);
    return undefined;
  };
}

interface TextPart {
  readonly type: "output_text";
  text: string;
}

function show(text: string, [first, ...others]: readonly TextPart[]): void {
  if (first) first.text = text;
  for (const other of others) other.text = "";
}

/** The parts of the last message that are its text. */
function textsIn(output: ModelResponse["output"]): readonly TextPart[] {
  const messages = output.flatMap((item) => ("content" in item ? [item.content] : []));
  const last: unknown = messages.at(-1);
  const parts: readonly unknown[] = Array.isArray(last) ? last : [];
  return parts.filter((part): part is TextPart => isRecord(part) && part["type"] === "output_text");
}

/** The request with what was wrong; a conversation that the server keeps has the answer already. */
function askedAgain(
  request: ModelRequest,
  { output, responseId }: Pick<ModelResponse, "output" | "responseId">,
  content: string,
): ModelRequest {
  const told: AgentInputItem = { type: "message", role: "user", content };
  if (request.conversationId !== undefined) return { ...request, input: [told] };
  if (request.previousResponseId !== undefined && responseId !== undefined) {
    return { ...request, input: [told], previousResponseId: responseId };
  }
  const { input } = request;
  const earlier: readonly AgentInputItem[] =
    typeof input === "string" ? [{ type: "message", role: "user", content: input }] : input;
  return { ...request, input: [...earlier, ...output, told] };
}
