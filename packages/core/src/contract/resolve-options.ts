import type { CallOptions } from "../call/index.ts";
import { DEFAULT_FORMAT, FORMAT_OPTIONS } from "../message/index.ts";
import { type ContractLogger, consoleLogger } from "../observe/index.ts";
import { ToolContractError } from "@toolcontract/explain";
import {
  checkMembers,
  defaultsOf,
  isBoolean,
  isObject,
  oneOf,
} from "@toolcontract/explain/adapter";
import { CONTRACT_OPTIONS, type ContractOptions } from "./options.ts";

/** The options with every default filled in. */
export type ResolvedOptions = CallOptions &
  Required<Pick<ContractOptions, "scope" | "interpreter">> &
  Pick<ContractOptions, "workspaceRoot" | "store" | "telemetry" | "patternEngine"> & {
    /** Undefined if nothing is logged. */
    readonly logger: ContractLogger | undefined;
  };

/** The contract's own options among the members of OpenTelemetry's module. */
const TELEMETRY_OPTIONS = {
  refusals: oneOf("span", "active", "off"),
  conversationId: isBoolean,
};

/** Fills in the defaults; throws if an option is unknown or of the wrong type. */
export function resolveOptions(
  options: ContractOptions = {},
  where = "createContract",
): ResolvedOptions {
  if (!isObject.fits(options)) {
    throw new ToolContractError(
      `${where}: the options must be an object, such as { maxAttempts: 3 }.`,
    );
  }
  checkMembers(where, options, CONTRACT_OPTIONS);
  checkMembers(where, options.format ?? {}, FORMAT_OPTIONS, { prefix: "format." });
  const { refusals, conversationId } = options.telemetry ?? {};
  checkMembers(where, { refusals, conversationId }, TELEMETRY_OPTIONS, { prefix: "telemetry." });
  return {
    ...(defaultsOf(CONTRACT_OPTIONS) as Omit<ResolvedOptions, "clock" | "format" | "logger">),
    clock: Date.now,
    ...withoutUndefined(options),
    logger: options.logger === false ? undefined : (options.logger ?? consoleLogger),
    format: { ...DEFAULT_FORMAT, ...withoutUndefined(options.format ?? {}) },
  };
}

function withoutUndefined<T extends object>(
  options: T,
): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as never;
}
