import type { ValidArguments } from "@toolcontract/core";
import { asSchema, jsonSchema, type Schema, type ToolSet } from "ai";
import { asArguments } from "./as-arguments.ts";
import type { Guard } from "./guard.ts";
import { validationError } from "./rejection-error.ts";

/** The schema that the SDK gets, and what it let pass. */
export interface GuardedSchema {
  readonly schema: Schema;
  /** What the contract found in arguments that passed; undefined for values that this schema never saw. */
  readonly checkedOf: (input: unknown) => ValidArguments | undefined;
}

/** Shows the provider the tool's own JSON Schema and lets the contract judge the arguments. */
export function guardSchema(name: string, tool: ToolSet[string], guard: Guard): GuardedSchema {
  const own = asSchema(tool.inputSchema);
  const passed = new WeakMap<object, ValidArguments>();
  const schema = jsonSchema(() => own.jsonSchema, {
    async validate(value) {
      const definition = await guard.definitions.get(name);
      if (definition === undefined) return { success: true, value };
      const result = await guard.contract.checkAsync(definition, asArguments(value));
      if (result.status === "invalid") {
        return { success: false, error: validationError(value, result) };
      }
      const { output } = result;
      if (isObject(output)) passed.set(output, result);
      return { success: true, value: output };
    },
  });
  return { schema, checkedOf: (input) => (isObject(input) ? passed.get(input) : undefined) };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
