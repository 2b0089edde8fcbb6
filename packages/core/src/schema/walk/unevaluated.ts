import { unknownField } from "./fields.ts";
import { type Finding, hasField, isRecord, type SchemaObject } from "../../shared/index.ts";
import { nearest } from "../facts/index.ts";
import { type Evaluated, type Location, type Outcome, type Walk, inside } from "./walk.ts";

/** `unevaluatedProperties` and `unevaluatedItems`: what no other keyword has looked at. */
export function checkUnevaluated(
  walk: Walk,
  location: Location,
  schema: SchemaObject,
  outcome: Outcome,
): void {
  const { dialect } = walk.index;
  if (dialect !== "2020-12" && dialect !== "2019-09") return;
  if (isRecord(location.value)) checkFields(walk, location, schema, outcome, location.value);
  if (Array.isArray(location.value)) checkItems(walk, location, schema, outcome, location.value);
}

function checkFields(
  walk: Walk,
  location: Location,
  schema: SchemaObject,
  outcome: Outcome,
  value: Readonly<Record<string, unknown>>,
): void {
  const { unevaluatedProperties } = schema;
  if (unevaluatedProperties === undefined) return;
  const { evaluated, findings } = outcome;
  for (const name of unevaluatedFields(walk, outcome, value)) {
    if (findings.length >= walk.maxFindings) return;
    if (unevaluatedProperties === false)
      findings.push(undeclaredField(location, evaluated, value, name));
    else
      findings.push(
        ...walk.enter(inside(location, unevaluatedProperties, name, value[name], true)).findings,
      );
  }
  evaluated.allFields = true;
}

function checkItems(
  walk: Walk,
  location: Location,
  schema: SchemaObject,
  outcome: Outcome,
  value: readonly unknown[],
): void {
  const { unevaluatedItems } = schema;
  if (unevaluatedItems === undefined) return;
  const { evaluated, findings } = outcome;
  for (
    let index = evaluated.itemsBelow;
    index < Math.min(value.length, walk.maxEntries);
    index += 1
  ) {
    if (evaluated.items.has(index) || unevaluatedItems === true) continue;
    if (unevaluatedItems === false) {
      findings.push({
        code: "VAL-006",
        path: location.path,
        expected: { kind: "array", count: { max: evaluated.itemsBelow } },
        actual: { value },
      });
      break;
    }
    findings.push(
      ...walk.enter(inside(location, unevaluatedItems, index, value[index], false)).findings,
    );
  }
  evaluated.itemsBelow = value.length;
}

/** Reports the unknown fields of an object whose schema names fields but leaves it open (`unknownFields`). */
export function closeObject(walk: Walk, location: Location, outcome: Outcome): void {
  const { evaluated, findings } = outcome;
  if (!isRecord(location.value) || evaluated.declared.size === 0) return;
  const severity = walk.closedObjects === "error" ? "error" : "warning";
  for (const name of unevaluatedFields(walk, outcome, location.value)) {
    if (findings.length >= walk.maxFindings) return;
    const finding = undeclaredField(location, evaluated, location.value, name);
    findings.push({ ...finding, severity, closing: true });
  }
}

function undeclaredField(
  location: Location,
  evaluated: Evaluated,
  value: SchemaObject,
  name: string,
): Finding {
  const declared = [...evaluated.declared];
  return unknownField(location, declared, { name, near: nearest(name, declared) }, value);
}

function unevaluatedFields(
  walk: Walk,
  outcome: Outcome,
  value: Readonly<Record<string, unknown>>,
): readonly string[] {
  const { allFields, fields } = outcome.evaluated;
  if (allFields) return [];
  return Object.keys(value)
    .slice(0, walk.maxEntries)
    .filter((name) => hasField(value, name) && !fields.has(name));
}
