import { ToolContractError } from "@toolcontract/core";
import { type ConfigFault, formatFault } from "./config-fault.ts";

/** The configuration is wrong: one error with every fault of every file. */
export class ConfigError extends ToolContractError {
  override readonly name: string = "ConfigError";
  /** All faults, by file and from top to bottom. */
  readonly faults: readonly ConfigFault[];

  constructor(faults: readonly ConfigFault[], show: (file: string) => string) {
    super(
      [
        `Invalid configuration (${faults.length === 1 ? "1 error" : `${faults.length} errors`}):\n`,
        ...faults.map((fault) => formatFault(fault, show)),
      ].join("\n"),
    );
    this.faults = faults;
  }
}

/** A ConfigError among whose faults are variables that are set nowhere. */
export class MissingVariableError extends ConfigError {
  override readonly name: string = "MissingVariableError";
}
