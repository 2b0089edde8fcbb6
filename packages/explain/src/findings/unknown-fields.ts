import { type Finding, type Severity, isBlocking, isRecord } from "../shared/index.ts";
import { type OverBudget, spentOn, tooMuchToCheck } from "./over-budget.ts";
import type { OnFault, Validator } from "./validator.ts";

/** How fields that a schema neither declares nor forbids are treated. */
export interface UnknownFields {
  /** Follow the schema, warn, or report an error. */
  readonly unknownFields: "schema" | "warn" | "reject";
  /** Called with what the search for them threw. */
  readonly onFault: OnFault;
  /** What happens if the search for those to refuse would cost too much; to accept is a fault that is reported. */
  readonly overBudget?: OverBudget | undefined;
}

/** Adds the undeclared fields that the validator did not report itself. */
export function withUnknownFields(
  found: readonly Finding[],
  value: unknown,
  validator: Validator,
  options: UnknownFields,
): readonly Finding[] {
  const undeclared =
    options.unknownFields === "schema"
      ? misspeltOptions(found, value, validator, options.onFault)
      : findUndeclared(found, value, validator, options);
  if (undeclared.length === 0) return found;
  const unknown = found.filter(({ code }) => code === "VAL-005");
  const reported = new Set(unknown.map(({ path }) => JSON.stringify(path)));
  return [...found, ...undeclared.filter(({ path }) => !reported.has(JSON.stringify(path)))];
}

function findUndeclared(
  known: readonly Finding[],
  value: unknown,
  validator: Validator,
  { unknownFields, onFault, overBudget = "refuse" }: UnknownFields,
): readonly Finding[] {
  const severity = unknownFields === "reject" ? "error" : "warning";
  // Of a value that is refused anyway, the first ones are enough: looking through all of a large one takes long.
  const isRefused = known.some(isBlocking);
  let isSpent = false;
  const found = undeclaredFields(
    value,
    validator,
    isRefused ? "warning" : severity,
    (stage, thrown) => {
      if (overBudget === "refuse" && spentOn(thrown, value) !== undefined) isSpent = true;
      else onFault(stage, thrown);
    },
  );
  return isSpent ? [tooMuchToCheck("parts")] : found.map((one) => ({ ...one, severity }));
}

/** Whoever sends more has misspelt none of them, and each hint costs a walk of all. */
const MOST_FIELDS = 500;

/**
 * The undeclared fields of a refused call that were surely meant to be optional ones. An open schema lets them pass, but
 * the model writes the call again, and would lose what it sent there without a word.
 */
function misspeltOptions(
  found: readonly Finding[],
  value: unknown,
  validator: Validator,
  onFault: OnFault,
): readonly Finding[] {
  if (!found.some(isBlocking)) return [];
  if (isRecord(value) && Object.keys(value).length > MOST_FIELDS) return [];
  const reported = new Set(found.map(({ path }) => JSON.stringify(path)));
  return undeclaredFields(value, validator, "warning", onFault).flatMap(
    ({ code, path, renameTo, hint }) => {
      const target = [...path.slice(0, -1), renameTo ?? ""];
      if (renameTo === undefined || hint === undefined) return [];
      if (reported.has(JSON.stringify(target))) return [];
      return [{ code, path, hint, renameTo }];
    },
  );
}

/** Finds the fields of a value that its schema neither declares nor forbids. */
export function undeclaredFields(
  value: unknown,
  validator: Validator,
  severity: Severity,
  onFault: OnFault,
): readonly Finding[] {
  try {
    return validator.schema()?.unknownFields(value, severity) ?? [];
  } catch (thrown) {
    onFault("unknown fields", thrown);
    return [];
  }
}
