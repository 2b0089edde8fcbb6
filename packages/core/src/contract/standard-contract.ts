import { ToolContractError } from "@toolcontract/explain";
import { createSchemaCache, describeSchema } from "@toolcontract/explain/adapter";
import { type Contract, makeContract } from "./contract.ts";
import type { ContractOptions } from "./options.ts";

const SCHEMA_OPTIONS = ["interpreter", "patternEngine", "unknownFields"] as const;

/** Options of a contract for tools with validators: all but those about validating by JSON Schema. */
export type StandardContractOptions = Omit<ContractOptions, (typeof SCHEMA_OPTIONS)[number]>;

/**
 * Creates a contract for tools with a `validator` (zod, valibot, arktype) that does not contain a JSON Schema validator.
 *
 * @remarks The validator decides, as always. Its own issues alone explain what it refused.
 * @throws ToolContractError if an option is unknown, of the wrong type, or about JSON Schema. A tool with only an
 * `inputSchema` is such an error as well.
 */
export function createStandardContract(options: StandardContractOptions = {}): Contract {
  const schemas = { cache: createSchemaCache(describeSchema), validate: false };
  const contract = makeContract(options, () => schemas);
  const given: ContractOptions = options;
  const stray = SCHEMA_OPTIONS.find((name) => given[name] !== undefined);
  if (stray !== undefined) {
    throw new ToolContractError(
      `createContract: \`${stray}\` is about JSON Schema, which @toolcontract/core/standard does not read; leave it out, or use createContract() of @toolcontract/core.`,
    );
  }
  return contract;
}
