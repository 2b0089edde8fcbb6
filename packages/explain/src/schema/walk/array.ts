import { type Expectation, type SchemaObject, duplicateItems } from "../../shared/index.ts";
import { countLimits, expectationOf } from "../hints/index.ts";
import { type Visit, type Walk, inside, passes } from "./walk.ts";

type Items = readonly unknown[];

/** Checks `items`, `prefixItems`, `contains`, `uniqueItems`, `minItems` and `maxItems`. */
export function checkArray(visit: Visit): void {
  const { value } = visit.location;
  if (!Array.isArray(value)) return;
  checkCount(visit, value);
  checkItems(visit, value);
  checkContains(visit, value);
  checkUnique(visit, value);
}

function checkCount(visit: Visit, items: Items): void {
  const { minItems, maxItems } = visit.schema;
  const tooFew = typeof minItems === "number" && items.length < minItems;
  const tooMany = typeof maxItems === "number" && items.length > maxItems;
  if (tooFew || tooMany) reportCount(visit);
}

function checkItems(visit: Visit, items: Items): void {
  const { walk, location, schema, outcome } = visit;
  const { prefix, rest } = itemSchemas(walk, schema);
  const end = rest === undefined ? prefix.length : items.length;
  outcome.evaluated.itemsBelow = Math.max(outcome.evaluated.itemsBelow, end);
  if (rest === false && items.length > prefix.length) reportCount(visit);
  const last = Math.min(items.length, end, walk.maxEntries);
  for (let index = 0; index < last; index += 1) {
    if (outcome.findings.length >= walk.maxFindings) return;
    const itemSchema = index < prefix.length ? prefix[index] : rest;
    if (itemSchema === true || (itemSchema === false && index >= prefix.length)) continue;
    outcome.findings.push(
      ...walk.enter(inside(location, itemSchema, index, items[index], false)).findings,
    );
  }
}

function reportCount({ walk, location, schema, outcome }: Visit): void {
  const { prefix, rest } = itemSchemas(walk, schema);
  const most = rest === false ? prefix.length : schema["maxItems"];
  const of = expectationOf(walk.index, schema, location.base);
  outcome.findings.push({
    code: "VAL-006",
    path: location.path,
    expected: { kind: "counted", of, count: countLimits(schema["minItems"], most) },
    actual: { value: location.value },
  });
}

/** Returns the schemas of the first items and of all that follow; the dialects name them differently. */
function itemSchemas(
  walk: Walk,
  schema: SchemaObject,
): { readonly prefix: readonly unknown[]; readonly rest: unknown } {
  const { items, prefixItems, additionalItems } = schema;
  if (walk.index.dialect === "2020-12")
    return { prefix: Array.isArray(prefixItems) ? prefixItems : [], rest: items };
  return Array.isArray(items)
    ? { prefix: items, rest: additionalItems }
    : { prefix: [], rest: items };
}

function checkContains({ walk, location, schema, outcome }: Visit, items: Items): void {
  const { contains, minContains, maxContains } = schema;
  const { dialect } = walk.index;
  if (contains === undefined || dialect === "draft-04") return;
  const isCounted = dialect === "2020-12" || dialect === "2019-09";
  const min = isCounted && typeof minContains === "number" ? minContains : 1;
  const max = isCounted && typeof maxContains === "number" ? maxContains : Infinity;
  let found = 0;
  for (let index = 0; index < Math.min(items.length, walk.maxEntries); index += 1) {
    if (!passes(walk.visit(inside(location, contains, index, items[index], false)))) continue;
    found += 1;
    if (dialect === "2020-12") outcome.evaluated.items.add(index);
  }
  const unseen = items.length > walk.maxEntries;
  if ((found >= min || unseen) && found <= max) return;
  const of = expectationOf(walk.index, contains, location.base);
  const expected: Expectation = {
    kind: "containing",
    min,
    of,
    ...(max !== Infinity && { max }),
  };
  outcome.findings.push({
    code: "VAL-006",
    path: location.path,
    expected,
    actual: { value: items },
  });
}

function checkUnique({ walk, location, schema, outcome }: Visit, items: Items): void {
  const equal = schema["uniqueItems"] === true ? duplicateItems(items, walk.maxEntries) : undefined;
  if (!equal) return;
  outcome.findings.push({
    code: "VAL-015",
    path: location.path,
    expected: { kind: "distinct", equal },
    actual: { value: items },
  });
}
