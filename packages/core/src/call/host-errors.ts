import { type ErrorBuilding, buildErrors, isBuilt } from "./build-errors.ts";
import type { CheckResult } from "./decision.ts";
import { type CallServices, countedName } from "./services.ts";
import type { CompiledSchema } from "../schema/index.ts";
import {
  type Finding,
  type ToolCall,
  type ToolDefinition,
  type ValidationError,
  isRecord,
} from "../shared/index.ts";
import { isValuePreview } from "../message/index.ts";
import { REDACTED } from "../sanitize/index.ts";
import { toFinding } from "./rules.ts";

const MAX_ARGUMENTS = 262_144;

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
  if (typeof raw !== "string" || raw.length > MAX_ARGUMENTS) return raw;
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}

const MAX_JSON = 65_536;
const MAX_PREVIEW = 2_000;

/** What stands for a value that cannot be quoted. */
const FIXED_WORD = /^\((?:unreadable|date|binary|bigint|function|symbol)\)$/;

/** A finding as errors are built from it, with what is known of who worded it. */
export interface BuildableFinding extends Finding {
  /** True where somebody else built the error, so that none of its texts is trusted. */
  readonly foreign?: boolean;
  /** True where the value is already written as messages show it. */
  readonly preview?: boolean;
}

/** Takes an error of another maker apart again, so that it is built like any other; never throws. */
function foreignFinding(error: unknown): BuildableFinding {
  try {
    if (!isRecord(error)) return unreadable();
    const { actualValue, variant } = error;
    return {
      ...toFinding(error),
      foreign: true,
      ...(typeof actualValue === "string" && readActual(actualValue)),
      ...(typeof variant === "string" && { variant }),
    };
  } catch {
    return unreadable();
  }
}

function unreadable(): BuildableFinding {
  return { code: "VAL-016", path: [], message: "An error could not be read", foreign: true };
}

/** An error holds its value as JSON, as JSON that was cut for a message, or as plain text. */
function readActual(text: string): Pick<BuildableFinding, "actual" | "preview"> {
  const value = text.length <= MAX_JSON ? parse(text) : undefined;
  if (value !== undefined) return { actual: { value } };
  const isShort = text.length <= MAX_PREVIEW;
  const preview = isShort && (text === REDACTED || FIXED_WORD.test(text) || isValuePreview(text));
  return { actual: { value: text }, preview };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
