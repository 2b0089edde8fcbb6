import { describe } from "./describe.ts";
import { hintForType } from "./hint-type.ts";
import { LEAVE_OUT, listValues } from "./list-words.ts";
import { isSensitive } from "./sensitive.ts";
import { jsonEqual } from "./json-equal.ts";
import { matchesType, typesOf } from "./json-type.ts";
import { allowedValues, hintForValue } from "./value-hints.ts";
import { type Location, type Outcome, passes, type SchemaRecord, type Walk } from "./walk.ts";

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
