// Runs the code of a tool in a worker of the sandboxed frame, and validates values with it. The code may do anything
// with this worker: what leaves it is checked by whoever asked.
import { jsonSchemaOf } from "@toolcontract/core/adapter";
import { answerPort, evaluateCode } from "../sandboxed/index.ts";
import type { Defined, ToolRequest, Validated } from "./tool-requests.ts";

type Validator = Parameters<typeof jsonSchemaOf>[0];

let validator: Validator | undefined;

answerPort((request: ToolRequest) =>
  "code" in request ? define(request.code) : validate(request.value),
);

async function define(code: string): Promise<Defined> {
  const tool = await evaluateCode(code);
  if ("fault" in tool) return tool;
  const { name, schema } = tool;
  const named = name === undefined ? {} : { name };
  try {
    if (schema === undefined) return named;
    if (!isStandard(schema)) return { fault: NOT_STANDARD };
    validator = schema;
    const jsonSchema = jsonSchemaOf(validator);
    return {
      ...named,
      validator: {
        vendor: validator["~standard"].vendor,
        ...(jsonSchema !== undefined && { jsonSchema: JSON.parse(JSON.stringify(jsonSchema)) }),
      },
    };
  } catch (thrown) {
    return { fault: String(thrown) };
  }
}

const MOST_ISSUES = 200;

async function validate(value: unknown): Promise<Validated> {
  try {
    const result = await validator?.["~standard"].validate(value);
    // Some libraries return an array that carries its issues.
    if (typeof result !== "object" || result === null) return { threw: true };
    const { issues } = result;
    // Core reads no more.
    if (issues) return { issues: issues.slice(0, MOST_ISSUES).map(sendable) };
    return { value: sendable(result.value) };
  } catch {
    return { threw: true };
  }
}

const NOT_STANDARD =
  "What the code defines is not a Standard Schema. Write one, such as z.object({ … }), or an object with a name and an inputSchema.";

function isStandard(schema: unknown): schema is Validator {
  const isObject = typeof schema === "object" || typeof schema === "function";
  return isObject && schema !== null && "~standard" in schema;
}

/** A value without what cannot leave a worker, such as functions. */
function sendable(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return JSON.parse(JSON.stringify(value) ?? "null");
  }
}
