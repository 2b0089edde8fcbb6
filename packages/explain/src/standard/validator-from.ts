import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type JsonSchema, ToolContractError, isPromiseLike } from "../shared/index.ts";
import { thrownIssues } from "./thrown-issues.ts";

/** What is known about a function that validates. */
export interface ValidatorFromOptions {
  /** The JSON Schema of what it accepts; it explains what the function refuses. */
  readonly inputSchema?: JsonSchema;
}

/**
 * Makes a validator of a function that returns the value or throws, such as the `parse` that a framework keeps beside a tool.
 *
 * @remarks Only an error with `issues`, as zod, valibot and arktype throw it, refuses the value with these issues. Anything else
 * is a fault of the function: the call is refused as well, but the contract's log says that the validator failed.
 * @throws ToolContractError if it is not a function.
 */
export function validatorFrom(
  parse: (value: unknown) => unknown,
  { inputSchema }: ValidatorFromOptions = {},
): StandardSchemaV1 {
  if (typeof parse !== "function") {
    throw new ToolContractError(
      "validatorFrom: pass the function that returns the arguments or throws, such as (value) => schema.parse(value).",
    );
  }
  // Known once the function has thrown: its issues are read as its library writes them.
  let vendor = "function";
  const refuse = (thrown: unknown): StandardSchemaV1.Result<unknown> => {
    const found = thrownIssues(thrown);
    if (found === undefined) throw thrown;
    vendor = found.vendor ?? vendor;
    return { issues: found.issues as readonly StandardSchemaV1.Issue[] };
  };
  const accept = (value: unknown): StandardSchemaV1.Result<unknown> => ({ value });
  return {
    "~standard": {
      version: 1,
      get vendor() {
        return vendor;
      },
      validate(value) {
        try {
          const parsed = parse(value);
          return isPromiseLike(parsed)
            ? Promise.resolve(parsed).then(accept, refuse)
            : accept(parsed);
        } catch (thrown) {
          return refuse(thrown);
        }
      },
      ...(inputSchema !== undefined && { jsonSchema: { input: () => inputSchema } }),
    },
  };
}
