import { buildErrors, type ErrorBuilding } from "./build-errors.ts";
import type { CheckResult } from "../check-result.ts";
import { type CallServices, countedName } from "./call-services.ts";
import { foreignFinding } from "./foreign-finding.ts";
import { isBuilt } from "./log-path.ts";
import type { CompiledSchema } from "../schema/compile-schema.ts";
import type { ToolCall } from "../tool-call.ts";
import type { ToolDefinition } from "../tool-definition.ts";
import type { ValidationError } from "../validation-error.ts";

const MAX_JSON = 262_144;

/** A call and its tool, as far as cleaning errors needs them. */
interface CallOfTool {
  readonly call: ToolCall;
  readonly tool: ToolDefinition | undefined;
}

/** Errors that the host brings: those that core built stay as they are, all others are built anew. */
export async function cleanErrors(
  errors: readonly ValidationError[],
  { call, tool }: CallOfTool,
  services: CallServices,
): Promise<readonly ValidationError[]> {
  const shown = errors.slice(0, services.options.format.maxErrors);
  const foreign = shown.filter((error) => !isBuilt(error));
  if (foreign.length === 0) return shown;
  const ours = await buildErrors(foreign.map(foreignFinding), buildingOf(call, tool, services));
  return shown.map((error) => ours[foreign.indexOf(error)] ?? error);
}

/** A result that the host brings, with its errors clean. */
export async function cleanResult(
  checked: CheckResult,
  of: CallOfTool,
  services: CallServices,
): Promise<CheckResult> {
  const advisories = await cleanErrors(checked.advisories, of, services);
  if (checked.status === "valid") return { ...checked, advisories };
  const errors = await cleanErrors(checked.errors, of, services);
  const totalErrors = Math.max(checked.totalErrors, checked.errors.length);
  return { ...checked, errors, totalErrors, advisories };
}

/** What building errors of another maker needs: as for our own where the tool is known. */
function buildingOf(
  call: ToolCall,
  tool: ToolDefinition | undefined,
  { planOf, options, sanitizer }: CallServices,
): ErrorBuilding {
  const plan = tool && planOf(tool);
  const redactors = plan?.options.redact ?? options.redact;
  const schema = (): CompiledSchema | undefined => plan?.judge.schema();
  return { tool: countedName(tool), sanitizer, redactors, schema, root: argumentsOf(call) };
}

function argumentsOf({ arguments: raw }: ToolCall): unknown {
  if (typeof raw !== "string" || raw.length > MAX_JSON) return raw;
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}
