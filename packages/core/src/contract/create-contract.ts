import { type SchemaOptions, sharedSchemaCache } from "../ajv/index.ts";
import { type Contract, makeContract } from "./contract.ts";
import type { ContractOptions } from "./options.ts";

/** Creates a contract; throws a ToolContractError if an option is unknown or of the wrong type. */
export function createContract(options: ContractOptions = {}): Contract {
  return createContractFor(options);
}

/** Creates a contract; `where` is the function that errors about the options name. */
export function createContractFor(options: ContractOptions, where?: string): Contract {
  const schemasFor = (resolved: SchemaOptions) => ({
    cache: sharedSchemaCache(resolved),
    validate: true,
  });
  return makeContract(options, schemasFor, where);
}
