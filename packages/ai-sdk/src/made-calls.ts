import type { CheckResult } from "@toolcontract/core";
import { authorOf, hasInexactNumbers, parseJson } from "@toolcontract/core/adapter";
import type { Guard } from "./guard.ts";
import type { RunStep } from "./runs.ts";
import type { WrittenCall } from "./step-model.ts";
import { asArguments, isProviderTool } from "./tool-definitions.ts";

/**
 * Judges a call that the model has just made by all that the contract has: the schema, the rules and the guardrails. The guarded schema
 * asks the first alone, because the SDK also validates stored calls by it, and those were judged when they were made.
 *
 * @returns What the contract found; undefined if the SDK needs no help with the call: its schema decides, or nobody can read it.
 */
export async function judgeMade(
  { toolCallId, toolName, input }: WrittenCall,
  step: RunStep,
  guard: Guard,
): Promise<CheckResult | undefined> {
  const definition = await guard.definitions.get(toolName);
  const tool = guard.tools[toolName];
  if (definition === undefined || tool === undefined || isProviderTool(tool)) return undefined;
  if (!guard.contract.settings.hasStage && !hasRules(toolName, guard)) return undefined;
  const value = hasInexactNumbers(input) ? undefined : parsed(input);
  if (value === undefined) return undefined;
  const runsHere = tool.execute !== undefined;
  const checked = await guard.contract.checkAsync(definition, asArguments(value), { runsHere });
  const { held } = (checked.status === "invalid" && checked.refusal) || {};
  // A person is asked once it is clear that the call may run: by the SDK, or by the contract when it runs.
  const accepted = held && runsHere ? held : checked;
  if (accepted.status === "valid") {
    // Ids may come twice in a message.
    const waits = accepted === held || step.judged.get(toolCallId) === "waits";
    step.judged.set(toolCallId, waits ? "waits" : "accepted");
  }
  return accepted;
}

/** Whether the contract has rules for a tool. */
export function hasRules(toolName: string, { contract }: Pick<Guard, "contract">): boolean {
  return authorOf(contract).hasRules(toolName);
}

/** The arguments as the SDK parses them; undefined if they are not JSON. */
export function parsed(input: string): unknown {
  return input.trim() === "" ? {} : parseJson(input);
}
