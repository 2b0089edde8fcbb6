import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { toolToRetry } from "@toolcontract/core/adapter";
import { readRejection } from "./history.ts";
import type { HookedRequest } from "./hooks.ts";
import { textOfMessage } from "./messages.ts";
import { namesOfTools } from "./tool-definitions.ts";

/** The request with the tool as its choice that was refused in the message before. */
export function withForcedRetry(request: HookedRequest): HookedRequest {
  const { messages, tools, toolChoice } = request;
  if (toolChoice !== undefined && toolChoice !== "auto") return request;
  const since = messages.findLastIndex((message) => AIMessage.isInstance(message)) + 1;
  const answers = messages
    .slice(since)
    .filter((message) => ToolMessage.isInstance(message))
    // A tool's own reply may quote a refusal.
    .map((message) => (readRejection(message) ? textOfMessage(message) : ""));
  const name = toolToRetry(answers, [...namesOfTools(tools)]);
  if (name === undefined) return request;
  // Every client of LangChain takes a bare name, and each has its own object.
  return { ...request, toolChoice: name as HookedRequest["toolChoice"] & string };
}
