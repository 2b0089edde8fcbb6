import { ToolContractError } from "@toolcontract/explain";
import {
  type Elsewhere,
  type OptionRule,
  type OptionRules,
  checkMembers,
  isObject,
} from "@toolcontract/explain/adapter";
import type { Contract } from "./contract.ts";
import { CONTRACT_OPTIONS, type ContractOptions } from "./options.ts";
import { type ContextSource, withContext } from "./with-context.ts";

/** What every adapter takes besides its own options. */
export interface CallerOptions {
  /**
   * What the host knows about who calls, for rules, guardrails and limits, such as `{ user: "u-17" }`: a value if the tools are
   * guarded for one user, or a function that is asked at each call.
   */
  readonly context?: ContextSource;
}

/** An adapter's own options, plus either an existing contract or the options of a new one. */
export type WithContract<Own extends object> = Own &
  CallerOptions &
  (
    | ({ readonly [Name in Exclude<keyof ContractOptions, keyof Own>]?: never } & {
        readonly contract: Contract;
      })
    | (Omit<ContractOptions, keyof Own> & { readonly contract?: never })
  );

/** Creates a contract; `where` is the function that errors about the options name. */
export type CreateContract = (options: ContractOptions, where: string) => Contract;

/** The contract of an adapter's options: the one passed as `contract`, or a new one. */
export function contractWithOwnOptions(
  create: CreateContract,
  where: string,
  options: object,
  own: OptionRules,
  elsewhere: Elsewhere = {},
): Contract {
  if (!isObject.fits(options)) {
    throw new ToolContractError(`${where}: the options must be an object.`);
  }
  const adapterOptions = { ...own, contract: isContract, context: isContextSource };
  checkMembers(
    where,
    options,
    { ...adapterOptions, ...CONTRACT_OPTIONS, ...adapterOptions },
    { elsewhere },
  );
  const contractOptions = Object.entries(options).filter(
    ([name, value]) => !Object.hasOwn(adapterOptions, name) && value !== undefined,
  );
  const { contract, context } = options as CallerOptions & { readonly contract?: Contract };
  const known = (made: Contract): Contract => (context ? withContext(made, context) : made);
  if (contract === undefined) {
    return known(create(Object.fromEntries(contractOptions), where));
  }
  const [stray] = contractOptions;
  if (stray === undefined) return known(contract);
  throw new ToolContractError(
    `${where}: pass either a contract or contract options, not both; '${stray[0]}' belongs to createContract.`,
  );
}

const isContextSource: OptionRule = {
  wants: 'an object such as { user: "u-17" }, or a function that returns one',
  fits: (value) => typeof value === "function" || isObject.fits(value),
};

const METHODS = ["check", "checkAsync", "admit", "handle", "reject"] as const;

const isContract: OptionRule = {
  wants: "what createContract(…) returns",
  fits: (value) =>
    isObject.fits(value) &&
    METHODS.every((name) => typeof (value as Record<string, unknown>)[name] === "function"),
};
