import type { AttemptRecord } from "./attempts/attempt-record.ts";
import { FORMAT_VERSION } from "./format-version.ts";
import { formatEscalationSummary } from "./message/escalation-summary.ts";
import { oneLine } from "./message/one-line.ts";
import type { ToolCall } from "./tool-call.ts";

/** The answer when a tool's attempts are spent: what a person or an outer system needs to take over. */
export interface Escalation {
  /** The tool is not to be called again before someone intervened. */
  readonly status: "blocked";
  readonly formatVersion: string;
  readonly toolName: string;
  readonly toolCallId: string;
  /** How many attempts failed. */
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly history: readonly AttemptRecord[];
  /** What happened, for a person. */
  readonly summary: string;
  readonly correlationId?: string;
  /**
   * The call that spent the last attempt.
   *
   * @remarks Its raw `arguments` may hold secrets, so they are not enumerable: read them by name. Logging,
   * copying and serialising leave them behind.
   */
  readonly toolCall: ToolCall;
  /** The escalation without arguments and without their hashes. */
  toJSON(): SerializedEscalation;
}

/** An escalation as JSON, safe to store and to send on. */
export interface SerializedEscalation extends Omit<Escalation, "toJSON" | "toolCall" | "history"> {
  readonly toolCall: Omit<ToolCall, "arguments">;
  readonly history: readonly Omit<AttemptRecord, "argumentsHash" | "siblingHashes">[];
}

/** What an escalation is made of. */
export interface EscalationParts extends Pick<
  Escalation,
  "toolName" | "attempts" | "maxAttempts" | "history" | "correlationId"
> {
  readonly toolCall: ToolCall;
}

/** Builds the escalation of a tool whose attempts are spent. */
export function createEscalation(parts: EscalationParts): Escalation {
  const { toolCall, toolName, attempts, history } = parts;
  const shared = {
    status: "blocked" as const,
    formatVersion: FORMAT_VERSION,
    toolName,
    toolCallId: toolCall.id,
    attempts,
    maxAttempts: parts.maxAttempts,
    summary: formatEscalationSummary(toolName, history, attempts),
    ...(parts.correlationId !== undefined && { correlationId: parts.correlationId }),
  };
  const toJSON = (): SerializedEscalation => ({
    ...shared,
    history: history.map(({ attempt, errors, collapsed }) => ({
      attempt,
      errors,
      ...(collapsed !== undefined && { collapsed }),
    })),
    toolCall: { id: toolCall.id, name: oneLine(toolCall.name, 64) },
  });
  const escalation = { ...shared, history, toolCall: hideArguments(toolCall) };
  return Object.defineProperty(escalation, "toJSON", { value: toJSON }) as Escalation;
}

function hideArguments(call: ToolCall): ToolCall {
  const shown = { id: call.id, name: call.name };
  // A getter, because inspectors print hidden values but do not run getters.
  return Object.defineProperty(shown, "arguments", { get: () => call.arguments }) as ToolCall;
}
