import {
  type ModelTurn,
  parseRejection,
  type ResultMarker,
  type TurnCall,
  type TurnResult,
} from "@toolcontract/core";
import { toTurnResult } from "@toolcontract/core/adapter";
import type { PromptMessage, PromptPart } from "./mastra.ts";

/** A call as Mastra has it. */
export interface ShownCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** What this process knows of a call besides what the prompt has. */
export interface KnownCall {
  /** The name that the model wrote. */
  readonly written: string;
  /** The message that the call was in. */
  readonly turnId: string;
  /** How it ended; undefined until then. */
  readonly marker: ResultMarker | undefined;
}

/**
 * Reads the model's turns from a prompt, oldest first, for countAttempts.
 *
 * @remarks Mastra joins the messages that follow each other, so calls of several turns may be in one.
 * @param knownOf - What this process knows of a call. Of all others the text is read: memory keeps nothing else.
 */
export function turnsFromPrompt(
  prompt: readonly PromptMessage[],
  knownOf: (call: ShownCall) => KnownCall | undefined,
): readonly ModelTurn[] {
  const known = new Map(
    [...callsInPrompt(prompt).values()].map((call) => [call.id, knownOf(call)] as const),
  );
  const results = new Map(
    partsOfPrompt(prompt, "tool-result").map(
      ({ toolCallId: id = "", output }) =>
        [id, toTurnResult(id, outputText(output), known.get(id)?.marker)] as const,
    ),
  );
  const turns: { calls: TurnCall[]; results: TurnResult[]; afterUserMessage: boolean }[] = [];
  let afterUserMessage = false;
  for (const message of prompt) {
    if (message.role === "user") afterUserMessage = true;
    let turn: string | undefined;
    for (const [index, part] of partsOfPrompt([message], "tool-call").entries()) {
      const { toolCallId: id = "", toolName = "", input } = part;
      const result = results.get(id);
      const own = known.get(id)?.turnId ?? attemptIn(result);
      if (index === 0 || (own !== undefined && turn !== undefined && own !== turn)) {
        turns.push({ calls: [], results: [], afterUserMessage });
        afterUserMessage = false;
        turn = undefined;
      }
      turn ??= own;
      const name = known.get(id)?.written ?? toolName;
      turns.at(-1)?.calls.push({ id, name, arguments: input });
      if (result) turns.at(-1)?.results.push(result);
    }
  }
  // The turn that is about to begin may be the first after a user's message.
  return afterUserMessage ? [...turns, { calls: [], results: [], afterUserMessage }] : turns;
}

/** The calls of a prompt, by their ids. */
export function callsInPrompt(prompt: readonly PromptMessage[]): ReadonlyMap<string, ShownCall> {
  return new Map(
    partsOfPrompt(prompt, "tool-call").map(
      ({ toolCallId: id = "", toolName: name = "", input }) => [id, { id, name, input }],
    ),
  );
}

function partsOfPrompt(prompt: readonly PromptMessage[], type: string): readonly PromptPart[] {
  return prompt.flatMap(({ content }) =>
    typeof content === "string" ? [] : content.filter((part) => part.type === type),
  );
}

/** The attempt that an answer of the contract counts: those of two turns differ. */
function attemptIn(result: TurnResult | undefined): string | undefined {
  const read = result?.isError === true ? parseRejection(result.content) : undefined;
  return read && String(read.attempt);
}

/** What the model reads of a result. */
export function outputText({ value }: NonNullable<PromptPart["output"]> = { type: "" }): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
