import type { Contract, ToolDefinition, ValidationError } from "@toolcontract/core";
import type { Schema } from "ai";
import { asArguments } from "./as-arguments.ts";
import type { StandardSchema } from "./standard-schema.ts";

type Issue = { readonly message: string; readonly path?: readonly PropertyKey[] };

/** Lets the validator inside of the SDK's own schema object judge as any other (zodSchema, jsonSchema with validate). */
export function toStandardSchema(
  schema: Schema,
  explaining: ToolDefinition,
  contract: Contract,
): StandardSchema {
  return {
    "~standard": {
      version: 1,
      // Issues of other libraries read as a path and a message, which core then explains by the JSON Schema.
      vendor: "zod",
      async validate(value) {
        const verdict = await schema.validate?.(value);
        if (verdict === undefined || verdict.success) return { value: verdict?.value ?? value };
        const { error } = verdict;
        const issues = issuesOf(error) ?? (await schemaIssues(value, explaining, contract));
        return { issues: issues.length > 0 ? issues : [{ message: wordsOf(error) }] };
      },
    },
  };
}

/** The issues that validation libraries put on their errors, or the SDK below its own one. */
function issuesOf(error: unknown, depth = 0): readonly Issue[] | undefined {
  if (Array.isArray(error)) return error as readonly Issue[];
  if (typeof error !== "object" || error === null || depth > 3) return undefined;
  if ("issues" in error && Array.isArray(error.issues)) return error.issues as readonly Issue[];
  return "cause" in error ? issuesOf(error.cause, depth + 1) : undefined;
}

/** What the JSON Schema finds wrong, for validators that do not say where the fault is. */
async function schemaIssues(
  value: unknown,
  explaining: ToolDefinition,
  contract: Contract,
): Promise<readonly Issue[]> {
  const result = await contract.checkAsync({ ...explaining }, asArguments(value));
  return result.status === "valid" ? [] : result.errors.map(toIssue);
}

function toIssue({ fieldPath, message }: ValidationError): Issue {
  const path = fieldPath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return { message, path: path.map((part) => (/^\d+$/.test(part) ? Number(part) : part)) };
}

/** An error of the SDK quotes the whole value. */
function wordsOf(error: unknown): string {
  const isOwn = error instanceof Error && !("value" in error);
  return isOwn ? error.message : "The tool's validator refused the arguments";
}
