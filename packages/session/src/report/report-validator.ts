import type { CheckResult, Contract, SchemaObject } from "@toolcontract/core";
import { authorOf } from "@toolcontract/core/adapter";
import { REPORT_TOOL } from "../shared/index.ts";
import { readerContract } from "./read-json.ts";

/** Says what is wrong with an answer, in the words that the model reads; undefined if nothing is. */
export type ReportValidator = (value: unknown, schema: SchemaObject) => string | undefined;

let standard: ReportValidator | undefined;

/** Validates answers by a contract with default options. */
export function defaultValidator(): ReportValidator {
  standard ??= reportValidator(readerContract());
  return standard;
}

/** Validates answers by a contract, and writes its message for those that are invalid. */
export function reportValidator(contract: Contract): ReportValidator {
  const author = authorOf(contract);
  return (value, inputSchema) => {
    const result = checkReport(contract, value, inputSchema);
    if (result.status === "valid") return undefined;
    const { errors, totalErrors, atLeast } = result;
    // One more turn follows, and it is the last.
    const place = {
      toolName: REPORT_TOOL,
      attempt: 1,
      maxAttempts: 2,
      status: "rejected",
    } as const;
    return author.writeFrame({ ...place, errors, totalErrors, atLeast });
  };
}

function checkReport(contract: Contract, value: unknown, inputSchema: SchemaObject): CheckResult {
  const tool = { name: REPORT_TOOL, inputSchema };
  try {
    return contract.check(tool, value);
  } catch {
    // A redactor of the contract is asynchronous: without it, no value may be shown.
    const result = readerContract().check(tool, value);
    if (result.status === "valid") return result;
    const errors = result.errors.map(({ actualValue: _value, hint: _hint, ...error }) => error);
    return { ...result, errors };
  }
}
