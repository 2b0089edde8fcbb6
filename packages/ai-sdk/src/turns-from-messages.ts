import type { ModelTurn, ResultMarker, TurnCall, TurnResult } from "@toolcontract/core";
import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from "ai";

type MarkerOf = (toolCallId: string, content: string) => ResultMarker | undefined;
type ResultPart = Extract<ToolModelMessage["content"][number], { readonly type: "tool-result" }>;

interface OpenTurn extends ModelTurn {
  readonly results: TurnResult[];
}

/**
 * Reads the model's turns from messages, oldest first, so that countAttempts can count them.
 *
 * @remarks A result belongs to the turn of its call wherever it stands: approvals and clients answer late.
 */
export function turnsFromMessages(
  messages: readonly ModelMessage[],
  markerOf: MarkerOf = () => undefined,
): readonly ModelTurn[] {
  const turns: OpenTurn[] = [];
  const turnOf = new Map<string, OpenTurn>();
  let afterUserMessage = false;
  for (const message of messages) {
    if (message.role === "user") afterUserMessage = true;
    if (message.role === "assistant") {
      const turn = { calls: callsOf(message), results: [], afterUserMessage };
      turns.push(turn);
      for (const { id } of turn.calls) turnOf.set(id, turn);
      afterUserMessage = false;
    }
    if (message.role === "tool") {
      for (const part of message.content) {
        if (part.type !== "tool-result") continue;
        turnOf.get(part.toolCallId)?.results.push(toResult(part, markerOf));
      }
    }
  }
  return afterUserMessage ? [...turns, { calls: [], results: [], afterUserMessage }] : turns;
}

function callsOf({ content }: AssistantModelMessage): readonly TurnCall[] {
  if (typeof content === "string") return [];
  return content.flatMap((part) =>
    part.type === "tool-call" && part.providerExecuted !== true
      ? [{ id: part.toolCallId, name: part.toolName, arguments: part.input }]
      : [],
  );
}

function toResult({ toolCallId, output }: ResultPart, markerOf: MarkerOf): TurnResult {
  // Every other kind of error is one of the tool itself: its arguments were valid.
  if (output.type !== "error-text") return { toolCallId, isError: false };
  const marker = markerOf(toolCallId, output.value);
  return { toolCallId, isError: true, content: output.value, ...(marker && { marker }) };
}
