import type { ToolDefinition, ValidationError } from "@toolcontract/core";
import { explain } from "@toolcontract/explain";
import { isRecord } from "../../wire/index.ts";

/** How deep fields are looked for before a call is forwarded; its schema says more once it has failed. */
const MAX_DEPTH = 3;

/** Whether a valid call has fields that its schema may not declare. */
export function mayBeUndeclared({ inputSchema }: ToolDefinition, args: unknown): boolean {
  return isOpenTo(inputSchema, args, MAX_DEPTH);
}

function isOpenTo(schema: unknown, value: unknown, depth: number): boolean {
  if (!isRecord(schema) || !isRecord(value)) return false;
  const { properties, additionalProperties, patternProperties } = schema;
  if (!isRecord(properties)) return false;
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(properties, name)) {
      if ((additionalProperties ?? patternProperties) === undefined) return true;
    } else if (depth > 0 && isOpenTo(properties[name], value[name], depth - 1)) return true;
  }
  return false;
}

/** The fields of a call that its schema neither declares nor forbids, and where they may belong. */
export function undeclaredFields(
  { name, inputSchema }: ToolDefinition,
  args: unknown,
): readonly ValidationError[] {
  if (inputSchema === undefined) return [];
  const options = { name, unknownFields: "reject", onDegraded: () => undefined } as const;
  return explain(inputSchema, args, options).filter(({ errorCode }) => errorCode === "VAL-005");
}
