import { hasLateAdvisories } from "./late-property.ts";
import { type ErrorCode, type ValidationError } from "@toolcontract/explain";
import {
  type ErrorBuilding,
  buildErrors,
  errorsWithin,
  type CompiledSchema,
  type Finding,
  type MaybePromise,
  chain,
  isRecord,
  isErrorCode,
  jsonOrText,
  looksLikeErrorCode,
  parseJson,
  isValuePreview,
  readHint,
  writtenFacts,
  REDACTED,
} from "@toolcontract/explain/adapter";
import type { CheckResult } from "./decision.ts";
import type { CallRecord } from "./record.ts";
import type { ToolCall } from "../shared/index.ts";
import { toFinding } from "./rules.ts";

const MAX_ARGUMENTS = 262_144;

/** Sanitizes the host's errors: those that core built are kept, all others are rebuilt. */
export function cleanErrors(
  errors: readonly ValidationError[],
  record: CallRecord,
): MaybePromise<readonly ValidationError[]> {
  const { maxErrors } = record.services.options.format;
  const isOurs = errors.every((error) => writtenFacts(error) !== undefined);
  const shown = isOurs ? errorsWithin(errors, maxErrors) : errors.slice(0, maxErrors);
  const foreign = shown.filter((error) => writtenFacts(error) === undefined);
  if (foreign.length === 0) return shown;
  const ours = buildErrors(foreign.map(foreignFinding), buildingOf(record));
  return chain(ours, (built) => shown.map((error) => built[foreign.indexOf(error)] ?? error));
}

/** Sanitizes the errors of the host's check result. */
export function cleanResult(checked: CheckResult, record: CallRecord): MaybePromise<CheckResult> {
  if (hasLateAdvisories(checked)) return checked;
  return chain(cleanErrors(checked.advisories, record), (advisories) => {
    if (checked.status === "valid") return { ...checked, advisories };
    const totalErrors = Math.max(checked.totalErrors, checked.errors.length);
    return chain(cleanErrors(checked.errors, record), (errors) => ({
      ...checked,
      errors,
      totalErrors,
      advisories,
    }));
  });
}

/** The context for rebuilding foreign errors: the same as for core's own if the tool is known. */
function buildingOf(record: CallRecord): ErrorBuilding {
  const { call, tool, name, services } = record;
  const known = tool && record.plan();
  const redactors = known?.options.redact ?? services.options.redact;
  const schema = (): CompiledSchema | undefined => known?.validator.schema();
  return { tool: name, sanitizer: services.sanitizer, redactors, schema, root: argumentsOf(call) };
}

function argumentsOf({ arguments: raw }: ToolCall): unknown {
  if (typeof raw !== "string" || raw.length > MAX_ARGUMENTS) return raw;
  return jsonOrText(raw);
}

const MAX_JSON = 65_536;
const MAX_PREVIEW = 2_000;

/** The placeholders for values that cannot be quoted. */
const FIXED_WORD = /^\((?:unreadable|date|binary|bigint|function|symbol)\)$/;

/** Converts an error that core did not create into a finding, so it is sanitized like the rest; never throws. */
function foreignFinding(error: unknown): Finding {
  try {
    if (!isRecord(error)) return unreadable();
    const { actualValue, hint, variant } = error;
    return {
      ...toFinding(error, looksLikeOurs),
      foreign: true,
      ...(typeof actualValue === "string" && readActual(actualValue)),
      ...(typeof hint === "string" && { hint: readHint(hint) }),
      ...(typeof variant === "string" && { variant: { kind: "words", text: variant } }),
    };
  } catch {
    return unreadable();
  }
}

/** An error may come from another process, whose packages are not loaded in this one. */
function looksLikeOurs(code: string): code is ErrorCode {
  return isErrorCode(code) || looksLikeErrorCode(code);
}

function unreadable(): Finding {
  return { code: "VAL-016", path: [], reason: { kind: "unreadable-error" }, foreign: true };
}

/** An error holds its value as JSON, as JSON cut for a message, or as a plain string. */
function readActual(text: string): Pick<Finding, "actual" | "preview"> {
  const value = text.length <= MAX_JSON ? parseJson(text) : undefined;
  if (value !== undefined) return { actual: { value } };
  const isShort = text.length <= MAX_PREVIEW;
  const preview = isShort && (text === REDACTED || FIXED_WORD.test(text) || isValuePreview(text));
  return { actual: { value: text }, preview };
}
