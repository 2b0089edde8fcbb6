import type { ContractOptions } from "./contract-options.ts";
import type { LogFields } from "./observe/logger.ts";
import type { ContractServices } from "./setup/contract-services.ts";

/** What a contract's maker may need to know of it, with the defaults filled in. */
export interface ContractSettings extends Readonly<
  Required<
    Pick<ContractOptions, "maxAttempts" | "scope" | "onBlocked" | "reportAdvisories" | "clock">
  >
> {
  /** Writes an entry to the contract's logger; one that throws changes nothing. */
  readonly log: (fields: LogFields, message: string) => void;
}

/** Reads the settings off a contract's parts. */
export function settingsOf({ options, faults }: ContractServices): ContractSettings {
  const { maxAttempts, scope, onBlocked, reportAdvisories, clock } = options;
  const log = (fields: LogFields, message: string): void => faults.log({ fields, message });
  return { maxAttempts, scope, onBlocked, reportAdvisories, clock, log };
}
