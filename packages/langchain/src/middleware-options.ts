import type { Escalate } from "./escalate.ts";
import type { ToolContractOptions } from "./guard.ts";
import type { ToolErrors } from "./tool-errors.ts";

/** What the middleware takes beside the options of every entry point. */
export interface MiddlewareOwnOptions {
  /**
   * `"end"` (default) ends the run with a message for people, `"drop-tool"` takes the tool off the model's list,
   * `"interrupt"` asks a person, `"throw"` throws an EscalationError before the model is asked again.
   */
  readonly escalate?: Escalate;
  /** What the model reads of an error that a tool throws: createAgent's own words by default. */
  readonly toolErrors?: ToolErrors;
  /** The middleware's name; an agent takes each name once. */
  readonly name?: string;
}

/** The options of toolContractMiddleware, beside either a contract or the options of a new one. */
export type ToolContractMiddlewareOptions = ToolContractOptions<MiddlewareOwnOptions>;
