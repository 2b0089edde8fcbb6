import { type Finding, hasField, isRecord, withoutHint } from "../../shared/index.ts";
import { nearest } from "../hints/index.ts";
import { freeFields, missingFields, unknownField } from "./unknown-field.ts";
import { pathOfPlace } from "./place.ts";
import { reportFinding } from "./report.ts";
import {
  type Fields,
  type WalkOutcome,
  type SchemaLocation,
  type Visit,
  type Walk,
  inside,
} from "./walk.ts";

/** Checks `unevaluatedProperties` and `unevaluatedItems`: what no other keyword has evaluated. */
export function checkUnevaluated(visit: Visit): void {
  const { dialect } = visit.walk.index;
  if (dialect !== "2020-12" && dialect !== "2019-09") return;
  const { value } = visit.location;
  if (isRecord(value)) checkUnevaluatedFields(visit, value);
  if (Array.isArray(value)) checkUnevaluatedItems(visit, value);
}

/** Reports the unknown fields of an object whose schema declares fields but leaves it open (`unknownFields`). */
export function closeObject(walk: Walk, location: SchemaLocation, outcome: WalkOutcome): void {
  const { value } = location;
  const { evaluated, findings } = outcome;
  const { closedObjects: severity } = walk;
  if (severity === "schema" || !isRecord(value) || evaluated.declared.size === 0) return;
  for (const name of unevaluatedFields(walk, outcome, value)) {
    if (findings.length >= walk.maxFindings) return;
    // Removing it could break references to it.
    if (evaluated.mentioned?.has(name)) continue;
    const found = undeclaredField(walk, location, outcome, value, name);
    // Where the schema is open, the tool may know an option that it does not declare.
    const isUnsure = severity !== "error" && found.hint?.kind === "no-option";
    findings.push({ ...(isUnsure ? withoutHint(found) : found), severity, closing: true });
  }
}

function checkUnevaluatedFields(visit: Visit, value: Fields): void {
  const { walk, location, schema, outcome } = visit;
  const { unevaluatedProperties } = schema;
  if (unevaluatedProperties === undefined) return;
  const { evaluated, findings } = outcome;
  for (const name of unevaluatedFields(walk, outcome, value)) {
    if (findings.length >= walk.maxFindings) return;
    if (unevaluatedProperties === false)
      reportFinding(
        visit,
        "VAL-005",
        () => undeclaredField(walk, location, outcome, value, name),
        name,
      );
    else
      findings.push(
        ...walk.enter(inside(location, unevaluatedProperties, name, value[name], true)).findings,
      );
  }
  evaluated.allFields = true;
}

function unevaluatedFields(walk: Walk, outcome: WalkOutcome, value: Fields): readonly string[] {
  const { allFields, fields } = outcome.evaluated;
  if (allFields) return [];
  return walk
    .namesOf(value)
    .slice(0, walk.maxEntries)
    .filter((name) => hasField(value, name) && !fields.has(name));
}

function undeclaredField(
  walk: Walk,
  location: SchemaLocation,
  { evaluated, findings }: WalkOutcome,
  value: Fields,
  name: string,
): Finding {
  const path = pathOfPlace(location);
  const declared = [...evaluated.declared];
  const meant = nearest(name, declared);
  const missing = missingFields(findings, path);
  const free = (): ReturnType<typeof freeFields> => freeFields(walk, location, value, name);
  return unknownField(path, { name, meant, value, declared, missing, free });
}

function checkUnevaluatedItems(visit: Visit, items: readonly unknown[]): void {
  const { walk, location, schema, outcome } = visit;
  const { unevaluatedItems } = schema;
  if (unevaluatedItems === undefined) return;
  const { evaluated, findings } = outcome;
  const end = Math.min(items.length, walk.maxEntries);
  for (let index = evaluated.itemsBelow; index < end; index += 1) {
    if (evaluated.items.has(index) || unevaluatedItems === true) continue;
    if (unevaluatedItems === false) {
      reportFinding(visit, "VAL-006", () => ({
        code: "VAL-006",
        path: pathOfPlace(location),
        expected: { kind: "array", count: { max: evaluated.itemsBelow } },
        actual: { value: items },
      }));
      break;
    }
    findings.push(
      ...walk.enter(inside(location, unevaluatedItems, index, items[index], false)).findings,
    );
  }
  evaluated.itemsBelow = items.length;
}
