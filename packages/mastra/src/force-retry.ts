import { toolToRetry } from "@toolcontract/core/adapter";
import type { PromptRequest } from "./mastra.ts";
import { outputText } from "./turns-from-prompt.ts";

/** The request with the tool as its choice that was refused in the message before. */
export function withForcedRetry(request: PromptRequest): PromptRequest {
  const { prompt, tools = [], toolChoice } = request;
  const last = prompt.at(-1);
  const isFree = toolChoice === undefined || toolChoice.type === "auto";
  if (!isFree || last?.role !== "tool" || typeof last.content === "string") return request;
  const answers = last.content.map(({ output }) => outputText(output));
  const names = tools.filter(({ type }) => type === "function").map(({ name }) => name);
  const toolName = toolToRetry(answers, names);
  return toolName === undefined ? request : { ...request, toolChoice: { type: "tool", toolName } };
}
