import type { JsonSchema, SchemaObject } from "@toolcontract/core";
import { ajvAccepts } from "../../bare-ajv.ts";
import { resolveSchema, typesOf, variantsOf } from "../cases/schema.ts";
import type { Fault, SpoiltCall } from "../cases/spoilt-call.ts";
import { valueAt } from "../json.ts";
import { readContract } from "../reading/readers.ts";
import { correctCall } from "../repair/correct-call.ts";

/** Whether the corrector makes a call valid at once if the message says all there is to say. */
export function isIdeallyRepaired(spoilt: SpoiltCall): boolean {
  const corrected = correctCall(spoilt.args, readContract(idealText(spoilt)));
  return ajvAccepts(spoilt.tool)(corrected);
}

/** Writes what the contract's compact style would say if it knew the ground truth. */
function idealText({ tool, args, faults }: SpoiltCall): string {
  const lines = faults.map((fault) => `- ${lineOf(fault, args, tool.inputSchema)}`);
  return [`Validation failed for tool '${tool.name}' (attempt 1/3):`, ...lines, "Fix these."].join(
    "\n",
  );
}

function lineOf(fault: Fault, args: unknown, root: unknown): string {
  const { pointer, kind, near, siblings } = fault;
  const expected = describeSchema(fault.schema, root);
  switch (kind) {
    case "missing":
      return `${pointer} (VAL-001): missing; expected ${expected}`;
    case "unknown":
      return `${pointer} (VAL-005): unknown field; expected only ${siblings.join(", ")}; leave it out`;
    case "misspelt":
      return `${pointer} (VAL-005): unknown field; expected only ${siblings.join(", ")}; rename it to "${near}"`;
    default:
      return `${pointer} (VAL-002): wrong; expected ${expected}${hintOf(fault, valueAt(args, pointer))}`;
  }
}

function hintOf({ near, kind, undo, optional, schema }: Fault, sent: unknown): string {
  if (near !== undefined) return `; use ${JSON.stringify(near)}`;
  if (kind === "duplicate") return ", items all different";
  if (kind !== "type") return "";
  if (sent === null && optional) return "; leave it out";
  const golden = undo.set[0]?.[1];
  if (Array.isArray(golden) && JSON.stringify(golden) === JSON.stringify([sent]))
    return "; put it in an array";
  if (typeof sent === "string" && sent === JSON.stringify(golden))
    return typeof golden === "object"
      ? `; send the ${kindOf(schema)} itself, not a JSON string`
      : `; send ${sent} without quotes`;
  const isEcho = Array.isArray(sent) && JSON.stringify(sent) === JSON.stringify([golden]);
  return isEcho && typeof golden !== "object" ? `; use ${JSON.stringify(golden)}` : "";
}

function kindOf({ items, type }: SchemaObject): string {
  return type === "array" || items !== undefined ? "array" : "object";
}

const DEPTH = 2;

/** Describes a schema in the contract's words, without the contract's code. */
function describeSchema(node: unknown, root: unknown, depth = 0): string {
  const schema = resolveSchema(node, root as JsonSchema);
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"]))
    return `one of ${schema["enum"].map((value) => JSON.stringify(value)).join(", ")}`;
  const types = typesOf(schema);
  if (types.length > 0)
    return types.map((type) => describeType(type, schema, root, depth)).join(" or ");
  return variantsOf(schema)
    .map((variant) => describeSchema(variant, root, depth + 1))
    .join(" or ");
}

function describeType(type: string, schema: SchemaObject, root: unknown, depth: number): string {
  switch (type) {
    case "integer":
    case "number":
      return type + range(numberOf(schema, "minimum"), numberOf(schema, "maximum"), "");
    case "string":
      return text(schema);
    case "array": {
      const items = depth < DEPTH ? describeSchema(schema["items"], root, depth + 1) : "";
      const count = range(numberOf(schema, "minItems"), numberOf(schema, "maxItems"), " items");
      return `array${items === "" ? "" : ` of ${items}`}${count === "" ? "" : `,${count}`}`;
    }
    case "object": {
      const { required } = schema;
      const keys = Array.isArray(required) ? required.join(", ") : "";
      return keys === "" ? "object" : `object with ${keys}`;
    }
    default:
      return type;
  }
}

function text(schema: SchemaObject): string {
  const { format, pattern } = schema;
  const length = range(numberOf(schema, "minLength"), numberOf(schema, "maxLength"), " characters");
  const kind = typeof format === "string" ? `${format} string` : "string";
  const shape = typeof pattern === "string" ? ` matching ${pattern}` : "";
  return `${kind}${length === "" ? "" : `,${length}`}${shape}`;
}

function range(low: number | undefined, high: number | undefined, unit: string): string {
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}${unit}`;
  if (low !== undefined) return ` at least ${low}${unit}`;
  return high === undefined ? "" : ` at most ${high}${unit}`;
}

function numberOf(schema: SchemaObject, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === "number" ? value : undefined;
}
