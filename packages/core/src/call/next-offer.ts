import type { ModelTurn, TurnResult } from "../attempts/index.ts";
import { createEscalation, type ParsedRejection, parseRejection } from "../message/index.ts";

/** What the next request offers the model. */
export interface NextOffer<TTool> {
  /** The tools that are left; all of them if none is, because some providers refuse calls in a history without a list. */
  readonly tools: readonly TTool[];
  /** Whether the model may call nothing in this turn, but say how it ends. */
  readonly isForWords: boolean;
}

/** What decides about an offer. */
export interface OfferFacts<TTool> {
  /** The name of a tool; undefined if its calls are not judged here. */
  readonly nameOf: (tool: TTool) => string | undefined;
  /** Whether a tool has no attempts left. */
  readonly isBlocked: (name: string) => boolean;
  /** The turns up to now, oldest first. */
  readonly turns: readonly ModelTurn[];
}

/**
 * Decides how a loop goes on after its tools were blocked, so that it ends: a blocked tool is not offered any more, and a model that
 * calls nothing but blocked tools gets one turn for words.
 */
export function nextOffer<TTool>(
  tools: readonly TTool[],
  { nameOf, isBlocked, turns }: OfferFacts<TTool>,
): NextOffer<TTool> {
  const left = tools.filter((tool) => {
    const name = nameOf(tool);
    return name === undefined || !isBlocked(name);
  });
  return { tools: left.length === 0 ? tools : left, isForWords: isStuck(turns) };
}

/** Whether the model did nothing in its last turn but call what it had been asked not to call again. */
function isStuck(turns: readonly ModelTurn[]): boolean {
  const { calls, results } = turns.at(-1) ?? { calls: [], results: [] };
  const settled = new Set(results.filter(isSettled).map(({ toolCallId }) => toolCallId));
  return calls.length > 0 && calls.every(({ id }) => settled.has(id));
}

function isSettled(result: TurnResult): boolean {
  return readBlocked(result)?.settled === true;
}

/** A result as the answer that blocked a tool; a reply of a tool may quote one, and is marked then. */
function readBlocked({ isError, content, marker }: TurnResult): ParsedRejection | undefined {
  if (!isError || (marker !== undefined && marker.status !== "blocked")) return undefined;
  const read = parseRejection(content);
  return read?.status === "blocked" ? read : undefined;
}

/** What ends a run for people if the model has no words of its own: the summary of the last tool that was blocked. */
export function lastWords(turns: readonly ModelTurn[]): string {
  for (const { results } of turns.toReversed()) {
    for (const result of results.toReversed()) {
      const read = readBlocked(result);
      if (read === undefined) continue;
      const { toolCallId: id } = result;
      const { toolName, attempt: attempts, maxAttempts, lane } = read;
      const toolCall = { id, name: toolName, arguments: undefined };
      const parts = { toolName, attempts, maxAttempts, lane, toolCall, history: [] };
      return createEscalation(parts).summary;
    }
  }
  return "";
}
