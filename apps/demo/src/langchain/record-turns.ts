import { FORMAT_VERSION, type Handled, type ToolCall } from "@toolcontract/core";
import { countTokens } from "../count-tokens.ts";
import type { CallRecord, TurnRecord } from "../scenario.ts";
import { argumentsText } from "../scripted-model.ts";
import type { PlainAnswer } from "../without-contract.ts";
import type { AgentRun } from "./agent-scenario.ts";
import type { RecordedContract } from "./recorded-contract.ts";
import { callId } from "./scripted-chat-model.ts";

/** The runs of a scene, and what its contract recorded. */
export interface Runs {
  readonly run: AgentRun;
  readonly compact: RecordedContract["handled"];
  readonly without: AgentRun;
  readonly handled: RecordedContract["handled"];
  readonly repaired: ReadonlySet<string>;
}

/** Puts what the runs made of each call side by side. */
export function recordTurns({
  run,
  compact,
  without,
  handled,
  repaired,
}: Runs): readonly TurnRecord[] {
  return run.turns.map((message, turn) => ({
    message,
    calls: message.calls.map((scripted, index): CallRecord => {
      const id = callId(turn + 1, index + 1);
      const call = { id, name: scripted.tool, arguments: argumentsText(scripted) };
      const answer = handled.get(id) ?? ownResult(run, call);
      return {
        call,
        handled: answer,
        repaired: repaired.has(id),
        tokens: countTokens(answer.result.content),
        compactTokens: countTokens(compact.get(id)?.result.content ?? ""),
        without: plainAnswers(without, id),
      };
    }),
  }));
}

/** What a tool that threw came to, in the words that the model read. */
function ownResult({ answers }: AgentRun, { id, name }: ToolCall): Handled {
  const read = answers.get(id);
  if (read === undefined) throw new Error(`The model read no answer to ${id}.`);
  const { text: content } = read;
  const status = "executed";
  const head = { formatVersion: FORMAT_VERSION, toolCallId: id, toolName: name, advisories: [] };
  return {
    status,
    attempt: 1,
    result: { ...head, content, status, isError: read.status === "error" },
    output: content,
  };
}

/** Empty if the run had ended before this call. */
function plainAnswers({ answers }: AgentRun, id: string): readonly PlainAnswer[] {
  const read = answers.get(id);
  if (read === undefined) return [];
  const { text, status } = read;
  return [{ loop: "plain", text, tokens: countTokens(text), ran: status === "success" }];
}
