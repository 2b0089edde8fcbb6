import { answerOf } from "@toolcontract/ai-sdk";
import { FORMAT_VERSION, type Handled, type ToolCall } from "@toolcontract/core";
import { countTokens } from "../count-tokens.ts";
import type { CallRecord, TurnRecord } from "../scenario.ts";
import { argumentsText } from "../scripted-model.ts";
import type { PlainAnswer } from "../without-contract.ts";
import type { SdkRun } from "./run-sdk.ts";
import { callId } from "./scripted-language-model.ts";

/** Records the outcome of each call in both runs, side by side. */
export function recordTurns(
  run: SdkRun,
  compact: SdkRun,
  without: SdkRun,
  repaired: ReadonlySet<string>,
): readonly TurnRecord[] {
  return run.turns.map((message, turn) => ({
    message,
    calls: message.calls.map((scripted, index): CallRecord => {
      const id = callId(turn + 1, index + 1);
      const call = { id, name: scripted.tool, arguments: argumentsText(scripted) };
      const handled = handledIn(run, call);
      return {
        call,
        handled,
        repaired: repaired.has(id),
        tokens: countTokens(handled.result.content),
        compactTokens: countTokens(compact.answers.get(id)?.text ?? ""),
        without: plainAnswers(without, id),
      };
    }),
  }));
}

/** The contract's decision on a call; a call that ran has the tool's own result. */
function handledIn({ steps, answers }: SdkRun, { id, name }: ToolCall): Handled {
  for (const part of steps.flatMap(({ content }) => content)) {
    const answer = "toolCallId" in part && part.toolCallId === id ? answerOf(part) : undefined;
    if (answer) return answer;
  }
  const read = answers.get(id);
  if (read === undefined) throw new Error(`The model read no answer to ${id}.`);
  const { text: content, type } = read;
  const status = "executed";
  const head = { formatVersion: FORMAT_VERSION, toolCallId: id, toolName: name, advisories: [] };
  return {
    status,
    attempt: 1,
    result: { ...head, content, status, isError: type.startsWith("error") },
    output: content,
  };
}

/** Empty if the run had ended before this call. */
function plainAnswers({ answers, steps, crash }: SdkRun, id: string): readonly PlainAnswer[] {
  if (crash?.toolCallId === id) {
    const text = `(nothing: the client was handed the call and failed with ${crash.message})`;
    return [{ loop: "plain", text, tokens: 0, ran: true }];
  }
  const read = answers.get(id);
  if (read === undefined) return [];
  const results = steps.flatMap(({ toolResults }) => toolResults);
  const output: unknown = results.find(({ toolCallId }) => toolCallId === id)?.output;
  return [
    { loop: "plain", text: read.text, tokens: countTokens(read.text), ran: succeeded(output) },
  ];
}

/** An MCP tool reports its failure as a result. */
function succeeded(output: unknown): boolean {
  const failed = typeof output === "object" && output !== null && "isError" in output;
  return output !== undefined && !(failed && output.isError === true);
}
