import { ToolMessage } from "@langchain/core/messages";
import { isRecord } from "@toolcontract/core/adapter";
import type { NativeCall } from "./messages.ts";

// As `Outcome.ok` and `Outcome.error` of @toolcontract/guardrails mark what they return.
const OUTCOME = Symbol.for("toolcontract.outcome");

/** Whether a tool returned an outcome, which only a stage can read: LangChain would show it to the model as JSON. */
export function isOutcome(value: unknown): boolean {
  return isRecord(value) && (value as { readonly [OUTCOME]?: unknown })[OUTCOME] === true;
}

/**
 * The failure that a message tells as JSON: LangChain 1.0 runs the agent's own tool, so what it returned is seen only in
 * its message. A success is not read back: an application's own data may look like one.
 */
export function outcomeIn(message: unknown): object | undefined {
  if (!ToolMessage.isInstance(message) || typeof message.content !== "string") return undefined;
  if (!message.content.startsWith('{"status":"error","error_type":')) return undefined;
  try {
    const value: unknown = JSON.parse(message.content);
    return isRecord(value) ? Object.defineProperty(value, OUTCOME, { value: true }) : undefined;
  } catch {
    return undefined;
  }
}

/** What LangChain makes of a tool's value. */
export function messageOfOutcome({ id, name }: NativeCall, value: unknown): ToolMessage {
  const content = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return new ToolMessage({ name, tool_call_id: id ?? "", content });
}
