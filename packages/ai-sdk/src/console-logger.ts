import type { ContractLogger } from "@toolcontract/core";

/** Writes an entry as one line of JSON to standard error, as core's own logger does. */
export const logToConsole: ContractLogger = ({ level, ...fields }, message) => {
  console.error(JSON.stringify({ level, message, ...fields }));
};
