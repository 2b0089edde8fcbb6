import type { SchemaObject } from "@toolcontract/core";
import type { Fault } from "../cases/fault.ts";
import type { SpoiltCall } from "../cases/spoilt-call.ts";
import { valueAt } from "../pointer.ts";
import { describeSchema } from "./describe-schema.ts";

/** What the contract's compact style would say if it knew the ground truth. */
export function idealText({ tool, args, faults }: SpoiltCall): string {
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
