import { type Expectation, type SchemaObject, duplicateItems } from "../../shared/index.ts";
import { countLimits, expectationOf } from "../facts/index.ts";
import { type Location, type Outcome, type Walk, inside, passes } from "./walk.ts";

/** `items`, `prefixItems`, `contains`, `uniqueItems` and the numbers of items. */
export function checkArray(
  walk: Walk,
  location: Location,
  schema: SchemaObject,
  outcome: Outcome,
): void {
  const { value } = location;
  if (!Array.isArray(value)) return;
  checkLength(walk, location, schema, outcome, value);
  checkItems(walk, location, schema, outcome, value);
  checkContains(walk, location, schema, outcome, value);
  const equalPair =
    schema["uniqueItems"] === true ? duplicateItems(value, walk.maxEntries) : undefined;
  if (equalPair) {
    outcome.findings.push({
      code: "VAL-015",
      path: location.path,
      expected: { kind: "distinct", equal: equalPair },
      actual: { value },
    });
  }
}

type Part = (
  walk: Walk,
  location: Location,
  schema: SchemaObject,
  outcome: Outcome,
  value: readonly unknown[],
) => void;

/** What is expected of a list that has too many or too few items. */
function counted(walk: Walk, schema: SchemaObject, base: string): Expectation {
  const { prefix, rest } = itemSchemas(walk, schema);
  const most = rest === false ? prefix.length : schema["maxItems"];
  const of = expectationOf(walk.index, schema, base);
  return { kind: "counted", of, count: countLimits(schema["minItems"], most) };
}

const checkLength: Part = (walk, location, schema, outcome, value) => {
  const { minItems, maxItems } = schema;
  const tooFew = typeof minItems === "number" && value.length < minItems;
  const tooMany = typeof maxItems === "number" && value.length > maxItems;
  if (!tooFew && !tooMany) return;
  const expected = counted(walk, schema, location.base);
  outcome.findings.push({ code: "VAL-006", path: location.path, expected, actual: { value } });
};

const checkItems: Part = (walk, location, schema, outcome, value) => {
  const { prefix, rest } = itemSchemas(walk, schema);
  const end = rest === undefined ? prefix.length : value.length;
  outcome.evaluated.itemsBelow = Math.max(outcome.evaluated.itemsBelow, end);
  if (rest === false && value.length > prefix.length) {
    const expected = counted(walk, schema, location.base);
    outcome.findings.push({ code: "VAL-006", path: location.path, expected, actual: { value } });
  }
  const last = Math.min(value.length, end, walk.maxEntries);
  for (let index = 0; index < last; index += 1) {
    if (outcome.findings.length >= walk.maxFindings) return;
    const itemSchema = index < prefix.length ? prefix[index] : rest;
    if (itemSchema === true || (itemSchema === false && index >= prefix.length)) continue;
    outcome.findings.push(
      ...walk.enter(inside(location, itemSchema, index, value[index], false)).findings,
    );
  }
};

/** The schemas of the first items one by one, and of all that follow; the dialects name them differently. */
function itemSchemas(
  walk: Walk,
  schema: SchemaObject,
): { prefix: readonly unknown[]; rest: unknown } {
  const { items, prefixItems, additionalItems } = schema;
  if (walk.index.dialect === "2020-12")
    return { prefix: Array.isArray(prefixItems) ? prefixItems : [], rest: items };
  return Array.isArray(items)
    ? { prefix: items, rest: additionalItems }
    : { prefix: [], rest: items };
}

const checkContains: Part = (walk, location, schema, outcome, value) => {
  const { contains } = schema;
  if (contains === undefined || walk.index.dialect === "draft-04") return;
  const isCounted = walk.index.dialect === "2020-12" || walk.index.dialect === "2019-09";
  const min = isCounted && typeof schema["minContains"] === "number" ? schema["minContains"] : 1;
  const max =
    isCounted && typeof schema["maxContains"] === "number" ? schema["maxContains"] : Infinity;
  let found = 0;
  for (let index = 0; index < Math.min(value.length, walk.maxEntries); index += 1) {
    if (!passes(walk.visit(inside(location, contains, index, value[index], false)))) continue;
    found += 1;
    if (walk.index.dialect === "2020-12") outcome.evaluated.items.add(index);
  }
  const unseen = value.length > walk.maxEntries;
  if ((found >= min || unseen) && found <= max) return;
  const of = expectationOf(walk.index, contains, location.base);
  const expected: Expectation = {
    kind: "containing",
    min,
    of,
    ...(max !== Infinity && { max }),
  };
  outcome.findings.push({ code: "VAL-006", path: location.path, expected, actual: { value } });
};
