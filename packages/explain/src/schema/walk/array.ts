import { type Expectation, type SchemaObject, duplicateItems } from "../../shared/index.ts";
import { countLimits, expectationOf } from "../hints/index.ts";
import { pathOfPlace } from "./place.ts";
import { reportFinding } from "./report.ts";
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
  if (walk.tracks) outcome.evaluated.itemsBelow = Math.max(outcome.evaluated.itemsBelow, end);
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

function reportCount(visit: Visit): void {
  const { walk, location, schema } = visit;
  reportFinding(visit, "VAL-006", () => {
    const { prefix, rest } = itemSchemas(walk, schema);
    const most = rest === false ? prefix.length : schema["maxItems"];
    const of = expectationOf(walk.index, schema, location.base);
    return {
      code: "VAL-006",
      path: pathOfPlace(location),
      expected: { kind: "counted", of, count: countLimits(schema["minItems"], most) },
      actual: { value: location.value },
    };
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

function checkContains(visit: Visit, items: Items): void {
  const { walk, location, schema, outcome } = visit;
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
    if (walk.tracks && dialect === "2020-12") outcome.evaluated.items.add(index);
  }
  const unseen = items.length > walk.maxEntries;
  if ((found >= min || unseen) && found <= max) return;
  reportFinding(visit, "VAL-006", () => {
    const of = expectationOf(walk.index, contains, location.base);
    const most = max === Infinity ? {} : { max };
    const expected: Expectation = { kind: "containing", min, of, ...most };
    return { code: "VAL-006", path: pathOfPlace(location), expected, actual: { value: items } };
  });
}

function checkUnique(visit: Visit, items: Items): void {
  const { walk, location, schema } = visit;
  if (schema["uniqueItems"] !== true) return;
  const equal = duplicateItems(items, walk.maxEntries, walk.identify);
  if (!equal) return;
  reportFinding(visit, "VAL-015", () => ({
    code: "VAL-015",
    path: pathOfPlace(location),
    expected: { kind: "distinct", equal },
    actual: { value: items },
  }));
}
