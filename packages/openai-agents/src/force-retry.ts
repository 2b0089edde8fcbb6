import { toolToRetry } from "@toolcontract/core/adapter";
import type { ModelRequest } from "./sdk.ts";
import { textOfOutput } from "./turns-from-items.ts";

/** The request with the tool as its choice that was refused in the message before. */
export function withForcedRetry(request: ModelRequest): ModelRequest {
  const { input, tools, modelSettings } = request;
  const { toolChoice = "auto" } = modelSettings;
  if (typeof input === "string" || toolChoice !== "auto") return request;
  const since = input.findLastIndex(({ type }) => type !== "function_call_result") + 1;
  const answers = input
    .slice(since)
    .map((item) => (item.type === "function_call_result" ? textOfOutput(item.output) : ""));
  const names = tools.filter(({ type }) => type === "function").map(({ name }) => name);
  const name = toolToRetry(answers, names);
  return name === undefined
    ? request
    : { ...request, modelSettings: { ...modelSettings, toolChoice: name } };
}
