import type { ContractOptions, FormatOptions } from "@toolcontract/core";
import { expectTypeOf } from "vitest";
import type { CodeOption, FileOption, OptionName, OPTIONS } from "./option-table.ts";

// A new option of core must say whether it may stand in a file: the table has a line for each.
expectTypeOf<keyof typeof OPTIONS>().toEqualTypeOf<
  Exclude<keyof ContractOptions, "format"> | `format.${keyof FormatOptions}`
>();
expectTypeOf<(typeof OPTIONS)[OptionName]>().toEqualTypeOf<FileOption | CodeOption>();

declare const complete: typeof OPTIONS;
const { maxAttempts: _left, ...incomplete } = complete;
// @ts-expect-error one option is missing
export const forgotten: typeof OPTIONS = incomplete;
