import type { Contract } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";
import type { ShownArguments } from "./rewrite-message.ts";

// Of no tool, so that no rule and no schema has a say.
const READING = { name: "(arguments)" };

/** The arguments of a text that a client could not read: repaired where that is safe, else none. */
export function readShownArguments(
  text: string,
  contract: Contract,
  finishReason?: string,
): ShownArguments {
  try {
    const options = finishReason === undefined ? {} : { finishReason };
    const checked = contract.check(READING, text, options);
    return checked.status === "valid" && isRecord(checked.input) ? checked.input : {};
  } catch {
    // A redactor of the application is asynchronous, and only refused arguments need one.
    return {};
  }
}
