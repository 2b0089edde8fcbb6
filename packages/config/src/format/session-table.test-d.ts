import type { SessionLimits } from "@toolcontract/session";
import { expectTypeOf } from "vitest";
import type { SessionOptions } from "./session-table.ts";
import type { SessionConfig } from "./settings.ts";

// A new option of a session must say whether a file may set it: the table has a line for each.
expectTypeOf<keyof SessionOptions>().toEqualTypeOf<keyof SessionLimits>();

// What a file sets is an option as it is.
expectTypeOf<SessionConfig>().toExtend<SessionLimits>();

declare const complete: SessionOptions;
const { maxTurns: _left, ...incomplete } = complete;
// @ts-expect-error one option is missing
export const forgotten: SessionOptions = incomplete;
