import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { toolToRetry } from "@toolcontract/core/adapter";

/**
 * The request with the tool as its choice that was refused in the message before.
 *
 * @remarks The SDK is not told: it throws if a model does not call the tool that the SDK itself made it call.
 */
export function withForcedRetry(request: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const { prompt, tools = [], toolChoice } = request;
  const last = prompt.at(-1);
  if (last?.role !== "tool" || toolChoice?.type === "tool" || toolChoice?.type === "none") {
    return request;
  }
  const answers = last.content.map((part) =>
    part.type === "tool-result" && part.output.type === "error-text" ? part.output.value : "",
  );
  const names = tools.filter(({ type }) => type === "function").map(({ name }) => name);
  const toolName = toolToRetry(answers, names);
  return toolName === undefined ? request : { ...request, toolChoice: { type: "tool", toolName } };
}
