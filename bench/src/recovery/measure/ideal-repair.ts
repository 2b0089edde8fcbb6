import { isRecord } from "@toolcontract/core/adapter";
import type { JsonSchema } from "@toolcontract/core";
import { type Expectation, type Fix, takeSteps, valueAt } from "@toolcontract/corrections";
import { ajvAccepts } from "../../bare-ajv.ts";
import { resolveSchema, typesOf, variantsOf } from "../../schema.ts";
import type { Fault } from "../cases/slips.ts";
import type { SpoiltCall } from "../cases/spoil-calls.ts";

/** Whether the corrector makes a call valid at once if the message says all there is to say. */
export function isIdeallyRepaired({ tool, args, faults }: SpoiltCall): boolean {
  const steps = faults.map((fault) => ({
    pointer: fault.pointer,
    fix: fixOf(fault, valueAt(args, fault.pointer)),
    expected: expectationOf(fault.schema, tool.inputSchema),
  }));
  return ajvAccepts(tool)(takeSteps(args, steps));
}

/** The change that a message would ask for if it knew the ground truth. */
function fixOf({ kind, near, value: golden, optional }: Fault, sent: unknown): Fix {
  if (kind === "missing") return { kind: "fill" };
  if (kind === "unknown") return { kind: "remove" };
  if (kind === "misspelt") return { kind: "rename", to: near ?? "" };
  if (near !== undefined) return { kind: "use", value: near };
  if (kind === "duplicate") return { kind: "deduplicate" };
  if (kind !== "type") return { kind: "convert" };
  if (sent === null && optional) return { kind: "remove" };
  const json = JSON.stringify(golden);
  if (JSON.stringify([sent]) === json) return { kind: "wrap" };
  const isEcho = sent === json || JSON.stringify(sent) === `[${json}]`;
  return isEcho && typeof golden !== "object"
    ? { kind: "use", value: golden }
    : { kind: "convert" };
}

const DEPTH = 2;
const NOTHING: Expectation = { values: [], types: [], keys: [] };

/** What a schema says, as far as the contract's messages do. */
function expectationOf(node: unknown, root: JsonSchema, depth = 0): Expectation {
  const schema = resolveSchema(node, root);
  if ("const" in schema) return { ...NOTHING, values: [schema["const"]] };
  if (Array.isArray(schema["enum"])) return { ...NOTHING, values: schema["enum"] };
  const variants = variantsOf(schema).map((variant) => expectationOf(variant, root, depth + 1));
  const types = typesOf(schema);
  if (types.length === 0) {
    const all = variants.flatMap((variant) => variant.types);
    return {
      ...NOTHING,
      ...variants[0],
      types: all,
      values: variants.flatMap(({ values }) => values),
    };
  }
  const { minimum, maximum, required, items } = schema;
  const limits = {
    minimum,
    maximum,
    shortest: schema["minLength"] ?? schema["minItems"],
    longest: schema["maxLength"] ?? schema["maxItems"],
    format: schema["format"],
    pattern: schema["pattern"],
  } as Partial<Expectation>;
  return {
    ...limits,
    values: [],
    types,
    keys: Array.isArray(required) ? (required as readonly string[]) : [],
    items: depth < DEPTH && isRecord(items) ? expectationOf(items, root, depth + 1) : undefined,
  };
}
