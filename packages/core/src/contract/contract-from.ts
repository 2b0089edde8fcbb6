import { type Contract, makeContract } from "./contract.ts";
import { CONTRACT_OPTIONS, type ContractOptions } from "./options.ts";
import { type Expectation, type Expectations, checkMembers, isObject } from "./expectation.ts";
import { ToolContractError } from "../shared/index.ts";

/** Either a contract that exists already or the options of a new one, beside an adapter's own options. */
export type WithContract<Own extends object> = Own &
  (
    | ({ readonly [Name in keyof ContractOptions]?: never } & { readonly contract: Contract })
    | (ContractOptions & { readonly contract?: never })
  );

const METHODS = ["check", "checkAsync", "admit", "handle", "reject"] as const;

const isContract: Expectation = {
  wants: "what createContract(…) returns",
  fits: (value) =>
    isObject.fits(value) &&
    METHODS.every((name) => typeof (value as Record<string, unknown>)[name] === "function"),
};

/**
 * Checks the options of an adapter and gives its contract: the one among them, or a new one of the contract's
 * options among them.
 *
 * @param where - The adapter's function, which errors name.
 * @param own - The adapter's own options.
 * @throws ToolContractError where an option is unknown or of the wrong kind, or where there are a contract and
 * options of one.
 */
export function contractFrom(where: string, options: object, own: Expectations): Contract {
  if (!isObject.fits(options)) {
    throw new ToolContractError(`${where}: the options must be an object.`);
  }
  const all = { ...own, contract: isContract };
  const isOwn = ([name]: readonly [string, unknown]): boolean => Object.hasOwn(all, name);
  const entries = Object.entries(options);
  const rest = entries.filter((entry) => !isOwn(entry) && entry[1] !== undefined);
  // Unknown names are told with the near ones of both kinds.
  const anything: Expectations = Object.fromEntries(
    Object.keys(CONTRACT_OPTIONS).map((name) => [name, { wants: "", fits: () => true }]),
  );
  checkMembers(where, options, { ...all, ...anything });
  const { contract } = options as { readonly contract?: Contract };
  if (contract === undefined) return makeContract(Object.fromEntries(rest), where);
  const [stray] = rest;
  if (stray === undefined) return contract;
  throw new ToolContractError(
    `${where}: pass either a contract or its options, not both; '${stray[0]}' belongs to createContract.`,
  );
}
