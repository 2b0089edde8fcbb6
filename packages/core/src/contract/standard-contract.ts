import { ToolContractError } from "@toolcontract/explain";
import { createSchemaCache, describeSchema } from "@toolcontract/explain/adapter";
import { type Contract, makeContract } from "./contract.ts";
import type { ContractOptions } from "./options.ts";

const SCHEMA_OPTIONS = ["interpreter", "patternEngine", "unknownFields"] as const;

/**
 * Options of a contract for tools with validators: all but those about validating by JSON Schema.
 *
 * @example
 * ```ts
 * const contract = createContract({ maxAttempts: 3, format: { style: "compact" } });
 * ```
 * @see packages/core/README.md
 */
export type StandardContractOptions = Omit<ContractOptions, (typeof SCHEMA_OPTIONS)[number]>;

/**
 * Creates a contract for tools with a `validator` (zod, valibot, arktype) that does not contain a JSON Schema validator.
 *
 * @remarks The validator decides, as always. Its own issues alone explain what it refused.
 * @throws ToolContractError if an option is unknown, of the wrong type, or about JSON Schema. A tool with only an
 * `inputSchema` is such an error as well.
 * @example
 * ```ts
 * const contract = createContract({ maxAttempts: 3 });
 * const { result } = await contract.handle(call, { tool, conversationId: "chat-1", execute });
 * ```
 * @see docs/running-on-the-edge.md
 */
export function createStandardContract(options: StandardContractOptions = {}): Contract {
  return createStandardContractFor(options, "createContract");
}

/** Creates such a contract; `where` is the function that errors about the options name. */
export function createStandardContractFor(options: ContractOptions, where: string): Contract {
  const schemas = { cache: createSchemaCache(describeSchema), validate: false };
  const contract = makeContract(options, () => schemas, where);
  const stray = SCHEMA_OPTIONS.find((name) => options[name] !== undefined);
  if (stray !== undefined) {
    throw new ToolContractError(
      `${where}: \`${stray}\` is about JSON Schema, which @toolcontract/core/standard does not read; leave it out, or use createContract() of @toolcontract/core.`,
    );
  }
  return contract;
}
