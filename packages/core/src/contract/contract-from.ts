import type { Elsewhere, OptionRules } from "@toolcontract/explain/adapter";
import type { Contract } from "./contract.ts";
import { contractWithOwnOptions } from "./contract-of.ts";
import { createContractFor } from "./create-contract.ts";

/**
 * Validates an adapter's options and returns their contract: the one passed as `contract`, or a new one created
 * from the contract options among them.
 *
 * @param where - The adapter's function, which errors name.
 * @param own - The adapter's own options.
 * @param elsewhere - Options of the host that are easily passed here, and what to do instead.
 * @throws ToolContractError if an option is unknown or of the wrong type, or if both a contract and contract
 * options are passed.
 */
export function contractFrom(
  where: string,
  options: object,
  own: OptionRules,
  elsewhere: Elsewhere = {},
): Contract {
  return contractWithOwnOptions(createContractFor, where, options, own, elsewhere);
}
