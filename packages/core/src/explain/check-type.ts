import { describe } from "./describe.ts";
import { hintForType, onlyContent } from "./hint-type.ts";
import { listValues } from "./list-words.ts";
import { isSensitive } from "./sensitive.ts";
import { LEAVE_OUT } from "./omissions.ts";
import { nearest } from "./near.ts";
import { jsonEqual } from "./json-equal.ts";
import { matchesType, textsOf, typesOf } from "./json-type.ts";
import {
  type Finding,
  type Location,
  type Outcome,
  passes,
  type SchemaRecord,
  type Walk,
} from "./walk.ts";

const MAX_REMARKED = 100;

/** `type`, `enum` and `const`; a wrong type says all there is to say about a value. */
export function checkType(
  walk: Walk,
  location: Location,
  schema: SchemaRecord,
  outcome: Outcome,
): void {
  const types = typesOf(schema);
  const allowed = allowedValues(schema);
  const { value, path } = location;
  if (types.length > 0 && !types.some((type) => matchesType(value, type))) {
    const { fixed, ...hint } = hintForType(types, schema, location, allowed);
    const mends = (mended: Outcome): boolean =>
      passes(mended) ||
      (fixed?.isDeep === true &&
        mended.findings.every((found) => found.path.length > path.length + 1));
    const helps = fixed === undefined || mends(walk.visit({ ...location, value: fixed.value }));
    outcome.findings.push({
      code: "VAL-002",
      path,
      // Nothing else of it was judged, so all that it must be is told.
      expected:
        allowed && helps && hint.hint?.startsWith("use ") === true
          ? listValues(allowed, true)
          : describe(walk.index, schema, location.base, { withPattern: "alone" }),
      actual: { value },
      sensitive: isSensitive(schema),
      ...(helps ? hint : {}),
    });
    // What the text holds is judged as well, so that one more turn is enough.
    if (hint.nested) {
      const inner = walk.visit({
        ...location,
        value: hint.nested.value,
        depth: location.depth + 1,
      });
      outcome.findings.push(...inner.findings);
    }
    return;
  }
  if (!allowed || allowed.some((candidate) => jsonEqual(candidate, value))) return;
  const near = hintForValue(allowed, value);
  outcome.findings.push({
    code: "VAL-008",
    path,
    expected:
      near.hint === undefined
        ? describe(walk.index, schema, location.base)
        : listValues(allowed, true),
    actual: { value },
    sensitive: isSensitive(schema),
    ...(value === null && location.optional ? { hint: LEAVE_OUT } : near),
  });
}

/** The values that a schema lists with `enum` or `const`; undefined where it lists none. */
export function allowedValues(schema: SchemaRecord): readonly unknown[] | undefined {
  const listed = Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
  if (!Object.hasOwn(schema, "const")) return listed;
  const fixed = schema["const"];
  // Both must hold; a value that the list lacks leaves nothing to send.
  return !listed || listed.some((value) => jsonEqual(value, fixed)) ? [fixed] : [];
}

/** The hint that names the listed value which the sent one was meant to be. */
export function hintForValue(allowed: readonly unknown[], value: unknown): Pick<Finding, "hint"> {
  const near = nearValue(allowed, value);
  return near === undefined ? {} : { hint: `use ${JSON.stringify(near)}` };
}

/** The listed value that the sent one was meant to be; undefined where none surely was. */
export function nearValue(allowed: readonly unknown[], value: unknown): unknown {
  const only = onlyContent(value, undefined);
  if (only) return allowed.find((candidate) => candidate === only.value);
  const text = typeof value === "string" ? withoutRemark(value) : undefined;
  if (text !== value && allowed.includes(text)) return text;
  const literal = allowed.find(
    (candidate) => isPlain(candidate) && String(candidate) === text?.trim().toLowerCase(),
  );
  if (literal !== undefined) return literal;
  const asText =
    text ?? (typeof value === "number" || typeof value === "boolean" ? String(value) : undefined);
  return asText === undefined ? undefined : nearest(asText, textsOf(allowed), "values");
}

/** `Public (default)` without what is said of it. */
function withoutRemark(text: string): string {
  return text.length > MAX_REMARKED ? text : text.replace(/(?<=\S) *\([^()]*\)$/, "");
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value === "number" || typeof value === "boolean";
}
