import type { SchemaObject } from "@toolcontract/core";
import type { ReportFormat, SessionEvent } from "../shared/index.ts";
import type { ReportValidator } from "./report-validator.ts";

/**
 * How a report is read.
 *
 * @example
 * ```ts
 * const options: ReportOptions = { format: "json", outputSchema: { type: "object" } };
 * ```
 * @see docs/session.md
 */
export interface ReportOptions {
  /** The format that the session expects; a report always has it. */
  readonly format: ReportFormat;
  /** The JSON Schema of `content_json`, for the format `"json"`. */
  readonly outputSchema?: SchemaObject;
  /**
   * Validates the content field in an object of its own (`{ content_json: … }`), against a schema of that object; by
   * default a contract with default options does. `reportValidator(contract)` makes one of your own contract.
   */
  readonly validate?: ReportValidator;
  /**
   * Milliseconds since 1970.
   *
   * @default Date.now
   */
  readonly clock?: () => number;
  /** Called with `report-normalized` and `report-failed`; an error that it throws changes nothing. */
  readonly onEvent?: (event: SessionEvent) => void;
}
