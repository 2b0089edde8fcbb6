import { ToolContractError } from "@toolcontract/core";
import type { StageContext, StageReports } from "@toolcontract/core/stage";
import type { Spender } from "./shared/index.ts";
import type { TracedCall } from "./trace/index.ts";
import type { AskedCall, Engine } from "./transaction/index.ts";

/** Who makes a call. */
export function spenderOf(context: StageContext): Spender {
  const { conversationId, knowsConversation, runId, knowsRun, context: host } = context;
  return { conversationId, knowsConversation, runId, knowsRun, context: host };
}

/** Who asks, and what they may ask about limits and earlier calls. */
export function askingFor(
  spender: Spender,
  { spendings, history, onGuardrailError }: Engine,
): Pick<AskedCall, "spender" | "usage" | "ran" | "onGuardrailError"> {
  return {
    spender,
    onGuardrailError,
    usage(limit) {
      if (spendings) return spendings.usage(limit, spender);
      throw new ToolContractError(
        "usage: there are no limits. Pass createGuardrails({ limits, spends }).",
      );
    },
    ran(tool, scope = "conversation") {
      if (history) return history.ran(tool, scope, spender);
      throw new ToolContractError(
        `ran: no guardrail watches '${tool.slice(0, 64)}'. Add it to the \`watches\` of the guardrail that asks.`,
      );
    },
  };
}

/** What names a call. */
export function callIdentity({
  tool,
  call,
  callId = call?.id ?? "",
  conversationId,
  runId,
  knowsRun,
  turnId,
  agent,
}: StageContext): TracedCall {
  return { tool, callId, conversationId, runId, knowsRun, turnId, agent };
}

/** Writes about a tool to a contract's log. */
export function logOf(tool: string, reports: StageReports): AskedCall["log"] {
  return (message, fields) => log(reports, message, { tool_name: tool, ...fields });
}

/** Writes to a contract's log. */
export function log(
  reports: StageReports,
  message: string,
  fields: Readonly<Record<string, unknown>>,
): void {
  reports.log({ ...fields, level: "warn", package: "guardrails" }, message);
}
