import { compileAjv } from "@toolcontract/explain/ajv";
import { sharedCache } from "@toolcontract/explain/adapter";
import type { ToolSchemas } from "../call/index.ts";
import { type Contract, makeContract } from "./contract.ts";
import type { ContractOptions } from "./options.ts";
import type { ResolvedOptions } from "./resolve-options.ts";

/**
 * Creates a contract; throws a ToolContractError if an option is unknown or of the wrong type.
 *
 * @example
 * ```ts
 * const contract = createContract({ maxAttempts: 3 });
 * const handled = await contract.handleTurn(calls, { tools, conversationId: "chat-1", execute });
 * messages.push(...handled.map(({ result }) => toOpenAI(result)));
 * ```
 * @see packages/core/README.md
 */
export function createContract(options: ContractOptions = {}): Contract {
  return createContractFor(options);
}

/** Creates a contract; `where` is the function that errors about the options name. */
export function createContractFor(options: ContractOptions, where?: string): Contract {
  const schemasFor = ({ interpreter, patternEngine }: ResolvedOptions): ToolSchemas => ({
    cache: sharedCache({ compileJudge: interpreter ? undefined : compileAjv, patternEngine }),
    validate: true,
  });
  return makeContract(options, schemasFor, where);
}
