import type { ContractLogger, ContractOptions, Redactor } from "@toolcontract/core";
import type { PlaygroundOptions } from "../state/index.ts";

/** The options of the contract that a page without code generation creates. */
export function contractOptions(
  options: PlaygroundOptions,
  logger: ContractLogger | false,
): ContractOptions {
  const { style, maxErrors, maxLength, maxValuePreview, redact, ...own } = options;
  const names = redact.split(/[\s,]+/).filter((name) => name !== "");
  return {
    ...own,
    format: { style, maxErrors, maxLength, maxValuePreview },
    // A warning that nobody reads shows nothing.
    reportAdvisories: own.unknownFields === "warn",
    redact: names.length === 0 ? [] : [hideFields(names)],
    interpreter: true,
    logger,
  };
}

/** Hides the values of the named fields, and all values inside of them. */
function hideFields(names: readonly string[]): Redactor {
  return (value, { fieldPath }) =>
    fieldPath.split("/").some((key) => names.includes(key)) ? "[hidden]" : value;
}
