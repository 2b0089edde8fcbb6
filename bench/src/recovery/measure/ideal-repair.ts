import type { JsonSchema, SchemaObject } from "@toolcontract/core";
import { ajvAccepts } from "../../bare-ajv.ts";
import { resolveSchema, typesOf, variantsOf } from "../cases/schema.ts";
import type { Fault, SpoiltCall } from "../cases/spoilt-call.ts";
import { valueAt } from "../json.ts";
import { correctCall } from "../repair/correct-call.ts";

/** Whether the corrector makes a call valid at once if the message says all there is to say. */
export function isIdeallyRepaired({ tool, args, faults }: SpoiltCall): boolean {
  const complaints = faults.map((fault) => ({
    pointer: fault.pointer,
    words: idealWords(fault, args, tool.inputSchema),
  }));
  return ajvAccepts(tool)(correctCall(args, complaints));
}

/** What the contract's compact style would say about a fault if it knew the ground truth. */
function idealWords(fault: Fault, args: unknown, root: JsonSchema): string {
  const { pointer, kind, near, siblings } = fault;
  const expected = describeSchema(fault.schema, root);
  const unknown = `unknown field; expected only ${siblings.join(", ")}`;
  switch (kind) {
    case "missing":
      return `missing; expected ${expected}`;
    case "unknown":
      return `${unknown}; leave it out`;
    case "misspelt":
      return `${unknown}; rename it to "${near}"`;
    default:
      return `wrong; expected ${expected}${hintOf(fault, valueAt(args, pointer))}`;
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
function describeSchema(node: unknown, root: JsonSchema, depth = 0): string {
  const schema = resolveSchema(node, root);
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"]))
    return `one of ${schema["enum"].map((value) => JSON.stringify(value)).join(", ")}`;
  const types = typesOf(schema);
  const parts =
    types.length > 0
      ? types.map((type) => describeType(type, schema, root, depth))
      : variantsOf(schema).map((variant) => describeSchema(variant, root, depth + 1));
  return parts.join(" or ");
}

function describeType(type: string, schema: SchemaObject, root: JsonSchema, depth: number): string {
  switch (type) {
    case "integer":
    case "number":
      return type + range(schema["minimum"], schema["maximum"]);
    case "string": {
      const { format, pattern } = schema;
      const kind = typeof format === "string" ? `${format} string` : "string";
      const length = range(schema["minLength"], schema["maxLength"], " characters");
      const shape = typeof pattern === "string" ? ` matching ${pattern}` : "";
      return `${kind}${length && `,${length}`}${shape}`;
    }
    case "array": {
      const items = depth < DEPTH ? describeSchema(schema["items"], root, depth + 1) : "";
      const count = range(schema["minItems"], schema["maxItems"], " items");
      return `array${items && ` of ${items}`}${count && `,${count}`}`;
    }
    case "object": {
      const { required } = schema;
      return Array.isArray(required) && required.length > 0
        ? `object with ${required.join(", ")}`
        : "object";
    }
    default:
      return type;
  }
}

function range(low: unknown, high: unknown, unit = ""): string {
  if (typeof low === "number")
    return typeof high === "number" ? ` from ${low} to ${high}${unit}` : ` at least ${low}${unit}`;
  return typeof high === "number" ? ` at most ${high}${unit}` : "";
}
