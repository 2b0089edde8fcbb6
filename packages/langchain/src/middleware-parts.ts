import type { Escalate } from "./escalate.ts";
import type { Guard } from "./guard.ts";
import type { ToolErrors } from "./tool-errors.ts";

/** What the two hooks of one middleware share. */
export interface MiddlewareParts extends Guard {
  readonly escalate: Escalate;
  readonly toolErrors: ToolErrors;
}
