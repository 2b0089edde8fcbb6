import { type FormatOptions, type RejectionContent, formatRejection } from "../message/index.ts";
import type { MaybePromise } from "@toolcontract/explain/adapter";
import { type CallContext, countValid, type ValidArguments } from "../call/index.ts";
import type { StageReports, ToolCall, ToolDefinition } from "../shared/index.ts";
import type { ContractServices } from "./services.ts";

/** What another package of a contract writes with, so that none has its own masking or header. */
export interface Author extends Pick<StageReports, "sanitize"> {
  /** Writes a message in the contract's frame; its strings must be sanitized. */
  writeFrame(content: RejectionContent, options?: Partial<FormatOptions>): string;
  /**
   * Counts a call that the contract has found valid, as `admit()` does, for a host that runs it whatever its count is; gives
   * the number of the attempt. Not for a contract that may refuse valid calls.
   */
  readonly countValid: (
    call: ToolCall,
    context: CallContext & { readonly turnId: string },
    checked: ValidArguments,
  ) => MaybePromise<number>;
  /**
   * Prepares a tool for its first call: compiles its schema.
   *
   * @throws ToolContractError if the definition is unusable.
   */
  readonly prepare: (tool: ToolDefinition) => void;
}

/** Creates the tools of a contract's authors. */
export function createAuthor(services: ContractServices): Author {
  const { options, reports } = services;
  return {
    sanitize: (text, maxLength) => reports.sanitize(text, maxLength),
    writeFrame: (content, format) => formatRejection(content, { ...options.format, ...format }),
    countValid: (call, context, checked) => countValid(call, context, checked, services),
    prepare: (tool) => void services.planOf(tool),
  };
}
