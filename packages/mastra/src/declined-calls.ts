import type { PromptMessage, PromptPart } from "./mastra.ts";
import { callsInPrompt, type ShownCall } from "./turns-from-prompt.ts";

/** What Mastra says of a call that a person declined. */
const DECLINED = { type: "text", value: "Tool call was not approved by the user" } as const;

/**
 * The prompt with the calls that a person declined: Mastra leaves them out if another call of their message failed, and the model would
 * ask again.
 *
 * @param declinedBeside - The calls of the message of a call that might run and have not begun.
 */
export function withDeclined(
  prompt: readonly PromptMessage[],
  declinedBeside: (call: ShownCall) => readonly ShownCall[],
): readonly PromptMessage[] {
  const known = new Set(callsInPrompt(prompt).keys());
  const declined = new Map(
    [...callsInPrompt(prompt).values()].map((call) => {
      const added = declinedBeside(call).filter(({ id }) => !known.has(id));
      for (const { id } of added) known.add(id);
      return [call.id, added] as const;
    }),
  );
  const besides = ({ toolCallId = "" }: PromptPart): readonly ShownCall[] =>
    declined.get(toolCallId) ?? [];
  // A call and its result are found by the id of the sibling that is there.
  return prompt.map((message) => {
    const { content } = message;
    if (typeof content === "string" || !content.some((part) => besides(part).length > 0))
      return message;
    const parts = content.flatMap((part): readonly PromptPart[] => {
      const isCall = part.type === "tool-call";
      const isResult = part.type === "tool-result";
      const added = isCall || isResult ? besides(part) : [];
      const shown = added.map(({ id: toolCallId, name: toolName, input }): PromptPart => {
        const end = isCall ? { input } : { output: DECLINED };
        return { type: part.type, toolCallId, toolName, ...end };
      });
      return [...shown, part];
    });
    return { ...message, content: parts };
  });
}
