import { type FormatOptions, type RejectionContent, formatRejection } from "../message/index.ts";
import { type MaybePromise, chain } from "@toolcontract/explain/adapter";
import {
  type CallContext,
  type CheckResult,
  checkCall,
  checkRules,
  admitCall,
  failedBeside,
  succeededBeside,
  type Refused,
  type ValidArguments,
} from "../call/index.ts";
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
   * Counts that the tool of a valid call failed, for a host that runs it beside the contract.
   *
   * @returns The answer to the call whose failure closes its tool, in place of what was thrown.
   */
  readonly countFailure: (
    call: ToolCall,
    context: CallContext,
    thrown: unknown,
  ) => Promise<Refused | undefined>;
  /** The same for one that succeeded: what failed before is forgotten. */
  readonly countSuccess: (call: ToolCall, contextOf: () => CallContext) => void;
  /**
   * Prepares a tool for its first call: compiles its schema.
   *
   * @throws ToolContractError if the definition is unusable.
   */
  readonly prepare: (tool: ToolDefinition) => void;
  /** Whether the contract's options have rules for a tool. */
  readonly hasRules: (toolName: string) => boolean;
  /** Checks arguments by the tool's schema alone, for a host that validates calls of a history, which were judged when they were made. */
  readonly checkSchema: (tool: ToolDefinition, args: unknown) => MaybePromise<CheckResult>;
  /** Asks the rules alone about what the tool's schema made of arguments. */
  readonly checkRules: (tool: ToolDefinition, output: unknown) => MaybePromise<CheckResult>;
}

/** Creates the tools of a contract's authors. */
export function createAuthor(services: ContractServices): Author {
  const { options, reports } = services;
  return {
    sanitize: (text, maxLength) => reports.sanitize(text, maxLength),
    writeFrame: (content, format) => formatRejection(content, { ...options.format, ...format }),
    countValid: (call, context, checked) =>
      chain(admitCall(call, { ...context, checked }, services), ({ attempt }) => attempt),
    countFailure: async (call, context, thrown) => failedBeside(call, context, thrown, services),
    countSuccess: (call, contextOf) => succeededBeside(call, contextOf, services),
    prepare: (tool) => void services.planOf(tool),
    hasRules: (name) =>
      Object.hasOwn(options.rules, name) && (options.rules[name] ?? []).length > 0,
    checkSchema(tool, args) {
      const plan = services.planOf(tool);
      return checkCall(args, { ...plan, rules: [], stage: undefined }, undefined, true);
    },
    checkRules: (tool, output) => checkRules(output, services.planOf(tool)),
  };
}
