import type { ModelResponse } from "./sdk.ts";

type Output = ModelResponse["output"];

/** The output of a response without calls; with words of ours if it has none of its own. */
export function outputInWords(output: Output, words: string): Output {
  const left = output.filter(({ type }) => type !== "function_call");
  if (left.length === output.length) return output;
  // What was thought of a call belongs to it: a provider refuses it alone.
  const said = left.filter(({ type }) => type !== "reasoning");
  if (said.some((item) => item.type === "message")) return said;
  const content = [{ type: "output_text" as const, text: words }];
  return [...said, { type: "message", role: "assistant", status: "completed", content }];
}
