import type { CallOptions } from "../call/index.ts";
import { FORMAT_OPTIONS, type FormatOptions } from "../message/index.ts";
import { type ContractLogger, consoleLogger } from "../observe/index.ts";
import { ToolContractError } from "@toolcontract/explain";
import { checkMembers, filled, isBoolean, isObject, oneOf } from "@toolcontract/explain/adapter";
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
  const { refusals, conversationId } = options.telemetry ?? {};
  checkMembers(where, { refusals, conversationId }, TELEMETRY_OPTIONS, { prefix: "telemetry." });
  return {
    clock: Date.now,
    ...(filled(CONTRACT_OPTIONS, options) as Omit<ResolvedOptions, "clock" | "format" | "logger">),
    logger: options.logger === false ? undefined : (options.logger ?? consoleLogger),
    format: filled(FORMAT_OPTIONS, options.format ?? {}) as unknown as FormatOptions,
  };
}
