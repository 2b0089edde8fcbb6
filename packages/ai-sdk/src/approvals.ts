import { type AskRequest, ToolContractError } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";
import type { ModelMessage, ToolSet } from "ai";
import { type Guard, guardOf } from "./guard.ts";
import { placeIn } from "./runs.ts";
import type { Messages } from "./sdk.ts";
import { asArguments } from "./tool-definitions.ts";

/** A call that waits for an approval, because a guardrail asks a person about it. */
export interface PendingAsk {
  /** The id of the SDK's request, for `addToolApprovalResponse` or a `tool-approval-response`. */
  readonly approvalId: string;
  /** The id of the call. */
  readonly toolCallId: string;
  /** What the person is asked, and what `guardrails.grant` takes. */
  readonly request: AskRequest;
}

/**
 * Finds the calls that wait for an approval because a guardrail asks a person: by the messages alone, so after a restart too.
 * Grant one with `guardrails.grant(request, …)`, and send the grant as the `reason` of the approval: without a grant, an approved
 * call does not run.
 *
 * @param tools - The tools that `withContract` returned, or those of a session: `session.tools`.
 * @param messages - The conversation, with the approval requests that nobody has answered.
 * @throws ToolContractError if the tools are neither.
 * @example
 * ```ts
 * for (const { request } of await asksIn(tools, messages)) console.log(request);
 * ```
 * @see packages/ai-sdk/README.md
 */
export async function asksIn(
  tools: ToolSet,
  messages: readonly ModelMessage[],
): Promise<readonly PendingAsk[]> {
  const guard = guardOf(tools);
  if (guard === undefined) {
    throw new ToolContractError(
      "asksIn: pass the tools that withContract returned, or session.tools.",
    );
  }
  const asks = await Promise.all(
    openApprovals(messages).map(async ({ approvalId, toolCallId, toolName, input }) => {
      const request = await askOf({ toolCallId, toolName, input, messages }, guard, "all");
      return request ? [{ approvalId, toolCallId, request }] : [];
    }),
  );
  return asks.flat();
}

/** A call that may have to wait. */
interface WaitingCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly messages: Messages;
}

/** What guardrails ask a person about a call, whatever was granted; undefined if they do not. */
async function askOf(
  { toolCallId: callId, toolName, input, messages }: WaitingCall,
  guard: Guard,
  beforeApproval: "all" | "rest",
): Promise<AskRequest | undefined> {
  const definition = await guard.definitions.get(toolName);
  if (definition === undefined) return undefined;
  const { turnId: _, ...place } = placeIn(messages, guard);
  const checked = await guard.contract.checkAsync(definition, asArguments(input), {
    place: { ...place, callId },
    beforeApproval,
  });
  return checked.status === "invalid" ? checked.refusal?.request : undefined;
}

/**
 * Whether the SDK must ask for an approval: guardrails ask a person, or one was asked and has answered.
 *
 * @param isChecked - True if guardrails were asked about the arguments before.
 */
export async function needsPerson(
  call: WaitingCall,
  isChecked: boolean,
  guard: Guard,
): Promise<boolean> {
  if (partsOfType(call.messages, "tool-approval-request").some(isOf(call.toolCallId))) return true;
  return (await askOf(call, guard, isChecked ? "rest" : "all")) !== undefined;
}

/** The grants that came with the approvals of a call. */
export function grantsIn(messages: Messages, toolCallId: string): readonly string[] {
  const asked = new Set(
    partsOfType(messages, "tool-approval-request")
      .filter(isOf(toolCallId))
      .map((part) => part["approvalId"]),
  );
  if (asked.size === 0) return [];
  return partsOfType(messages, "tool-approval-response").flatMap(
    ({ approvalId, approved, reason }) =>
      approved === true && asked.has(approvalId) && typeof reason === "string" ? [reason] : [],
  );
}

interface OpenApproval extends Omit<WaitingCall, "messages"> {
  readonly approvalId: string;
}

function openApprovals(messages: Messages): readonly OpenApproval[] {
  const calls = new Map(
    partsOfType(messages, "tool-call").map((part) => [part["toolCallId"], part] as const),
  );
  const answered = new Set(
    partsOfType(messages, "tool-approval-response").map((part) => part["approvalId"]),
  );
  return partsOfType(messages, "tool-approval-request").flatMap((part) => {
    const { approvalId, toolCallId } = part;
    const call = calls.get(toolCallId);
    if (typeof approvalId !== "string" || typeof toolCallId !== "string") return [];
    if (answered.has(approvalId) || typeof call?.["toolName"] !== "string") return [];
    // Of a schema that changes what was sent, the SDK keeps both.
    const input = "inputSchemaInput" in part ? part["inputSchemaInput"] : call["input"];
    return [{ approvalId, toolCallId, toolName: call["toolName"], input }];
  });
}

type ApprovalPart = Readonly<Record<string, unknown>>;

function partsOfType(messages: Messages, type: string): readonly ApprovalPart[] {
  const found: ApprovalPart[] = [];
  // Each call reads the whole history, so nothing is made for a message without such a part.
  for (const { content } of messages) {
    const parts: unknown = content;
    if (!Array.isArray(parts)) continue;
    for (const part of parts as readonly unknown[])
      if (isRecord(part) && part["type"] === type) found.push(part);
  }
  return found;
}

function isOf(toolCallId: string): (part: ApprovalPart) => boolean {
  return (part) => part["toolCallId"] === toolCallId;
}
