import { parseRejection } from "./parse-rejection.ts";

/**
 * The tool that a model should call again, for a host that can make it: one of these answers to its last calls has refused it for the first
 * time, and attempts are left. Undefined after a second refusal, for a blocked tool, and for one that is not offered.
 *
 * @param answers - What the model reads of the calls that it has just made.
 */
export function toolToRetry(
  answers: readonly unknown[],
  offered: readonly string[],
): string | undefined {
  for (const answer of answers) {
    const { status, attempt, isAnswer, toolName } = parseRejection(answer) ?? {};
    const isFirst = status === "rejected" && attempt === 1 && isAnswer !== true;
    if (isFirst && toolName !== undefined && offered.includes(toolName)) return toolName;
  }
  return undefined;
}
