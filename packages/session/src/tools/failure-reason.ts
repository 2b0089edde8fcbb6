import { readMember } from "@toolcontract/core/adapter";
import { cleanLine } from "../shared/index.ts";

/**
 * What a model may read about anything that a tool threw, for `(tool failed: <reason>)`: the message of an error, a
 * string, or an object's `message` or `error`, as one line without secrets.
 */
export function failureReason(thrown: unknown): string {
  return cleanLine(textOf(thrown)) || "the tool failed";
}

function textOf(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  if (typeof thrown === "number" || typeof thrown === "bigint") return String(thrown);
  for (const key of ["message", "error", "reason"]) {
    const value = readMember(thrown, key);
    const text = typeof value === "string" ? value : readMember(value, "message");
    if (typeof text === "string" && text.trim() !== "") return text;
  }
  return nameOf(thrown);
}

/** The class of an error without a message, such as `TimeoutError`. */
function nameOf(thrown: unknown): string {
  const name = readMember(thrown, "name");
  return typeof name === "string" && name !== "Error" ? name : "";
}
