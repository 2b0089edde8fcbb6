import type { Json, JsonObject } from "../conformance-case.ts";
import type { CallInReply, CaseReply, CaseTarget } from "./session-case.ts";
import { failureText, REPORT } from "./texts.ts";

/** A call of `read` for a path, or of another tool. */
export function call(id: string, name = "read", input: string = '{"path":"a"}'): CallInReply {
  return { id, name, input };
}

/** A reply of calls alone. */
export function calls(...made: readonly CallInReply[]): CaseReply {
  return { calls: made };
}

/** A call of the report tool. */
export function reportCall(id: string, fields: JsonObject): CallInReply {
  return { id, name: REPORT, input: JSON.stringify(fields) };
}

/** A reply with the final report, in Markdown. */
export function report(id = "r1", content = "Two notes."): CaseReply {
  return calls(reportCall(id, { format: "markdown", content }));
}

/** A reply of text alone. */
export function says(text: string): CaseReply {
  return { text };
}

/** A reply that is an error of the provider. */
export function fails(
  status: number,
  details: { readonly message?: string; readonly after?: string; readonly body?: string } = {},
): CaseReply {
  const { message = `status ${status}`, after, body } = details;
  const headers = after !== undefined && { headers: { "Retry-After": after } };
  return { error: { status, message, ...headers, ...(body !== undefined && { body }) } };
}

/** One target, named `pa`. */
export function target(
  replies: readonly CaseReply[],
  more: Partial<Omit<CaseTarget, "replies">> = {},
): CaseTarget {
  return { name: "pa", replies, ...more };
}

/** The report of a model. */
export function reported(content: string, format = "markdown"): JsonObject {
  return { status: "success", format, content };
}

type FailureReason = Parameters<typeof failureText>[0];

/** The report of a run without one. */
export function failure(reason: FailureReason, detail?: string): JsonObject {
  return {
    status: "failure",
    format: "markdown",
    content: failureText(reason, detail),
    metadata: { reason },
  };
}

/** A whole entry of a request; the tokens are those of a reply without any. */
export function llmEntry(fields: { readonly [name: string]: Json } = {}): JsonObject {
  return {
    type: "llm",
    provider: "pa",
    model: "scripted",
    status: "ok",
    tokens: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
    stopReason: "tool-calls",
    ...fields,
  };
}

/** A whole entry of a call of `read` with the path `a`. */
export function toolEntry(fields: { readonly [name: string]: Json } = {}): JsonObject {
  return {
    type: "tool",
    mcpServer: "local",
    command: "read",
    status: "ok",
    charactersIn: 12,
    charactersOut: 6,
    ...fields,
  };
}

/** The tool that most rows use. */
export const READ = { name: "read" } as const;

/** The rest of a run that reports after its first calls: `user, assistant <calls>, tool …, assistant r1, tool r1`. */
export function thenReports(...ids: readonly string[]): string {
  const results = ids.map((id) => `tool ${id}`);
  return ["user", `assistant ${ids.join(" ")}`, ...results, "assistant r1", "tool r1"].join(", ");
}
