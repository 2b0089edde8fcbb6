import type { ValidationError } from "@toolcontract/explain";
import {
  type Repair,
  isPromiseLike,
  isRecord,
  undeclaredFields,
  write,
} from "@toolcontract/explain/adapter";
import type { ValidArguments } from "./decision.ts";
import { withLate } from "./late-property.ts";
import type { ToolPlan } from "./validate.ts";

const NONE: readonly never[] = Object.freeze([]);

/** What is known of valid arguments. */
interface Valid {
  readonly input: unknown;
  readonly output: unknown;
  readonly repairs: readonly Repair[];
  /** The warnings and remarks that were found anyway. */
  readonly remarks?: readonly ValidationError[];
}

/**
 * Makes the result of a valid check. If the schema decides on unknown fields, those that it lets pass are looked for only
 * when somebody reads the advisories: the tool may not know them.
 */
export function validResult(
  { input, output, repairs, remarks = NONE }: Valid,
  plan: ToolPlan,
): ValidArguments {
  if (plan.options.unknownFields !== "schema" || isDeclared(input, plan))
    return { status: "valid", input, output, advisories: remarks, repairs };
  let read: readonly ValidationError[] | undefined;
  return withLate(
    { status: "valid", input, output, repairs },
    "advisories",
    () => (read ??= [...remarks, ...undeclaredIn(input, plan)]),
  );
}

/** Whether a call has no other fields than those that its schema declares, and nothing in them. */
function isDeclared(input: unknown, { declared }: ToolPlan): boolean {
  if (declared === undefined) return false;
  try {
    return (
      isRecord(input) &&
      Object.keys(input).every(
        (name) => Object.hasOwn(declared, name) && typeof input[name] !== "object",
      )
    );
  } catch {
    // A host's proxy that throws.
    return false;
  }
}

function undeclaredIn(
  input: unknown,
  { tool, validator, options, sanitizer, onFault }: ToolPlan,
): readonly ValidationError[] {
  const found = undeclaredFields(input, validator, "info", onFault);
  if (found.length === 0) return NONE;
  const written = write(found, {
    tool,
    sanitizer,
    redactors: [],
    root: input,
    schema: () => validator.schema(),
    maxErrors: options.format.maxErrors,
  });
  // Only a redactor waits, and such a fault shows no value.
  return isPromiseLike(written) ? NONE : written.advisories;
}
