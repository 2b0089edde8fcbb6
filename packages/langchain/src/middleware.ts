import type { ClientTool, ServerTool } from "@langchain/core/tools";
import { type Expectation, isFunction, isText, oneOf } from "@toolcontract/core/adapter";
import type { AgentMiddleware } from "langchain";
import {
  type MiddlewareOwnOptions,
  type MiddlewareParts,
  type ToolContractMiddlewareOptions,
  createGuard,
} from "./options.ts";
import { wrapModelCallFor } from "./wrap-model-call.ts";
import { wrapToolCallFor } from "./wrap-tool-call.ts";

const OWN: Readonly<Record<keyof MiddlewareOwnOptions, Expectation>> = {
  escalate: oneOf("end", "drop-tool", "interrupt", "throw"),
  toolErrors: {
    wants: '"default", "throw" or a function (error, request) => text',
    fits: (value) => value === "default" || value === "throw" || isFunction.fits(value),
  },
  name: isText,
};

/** What createAgent takes as middleware without a state, a context or tools of its own. */
export type ToolContractMiddleware = AgentMiddleware<
  undefined,
  undefined,
  unknown,
  readonly (ClientTool | ServerTool)[],
  readonly []
>;

/**
 * Puts a contract around all tools of an agent: an invalid call is answered with one short message and never runs;
 * after `maxAttempts` it escalates.
 *
 * @remarks Make it the first middleware: then it sees what the others would retry, hide or turn into errors. Only
 * those that supply tools go before it: of a tool supplied behind it only the refusal is seen, not the schema.
 * @throws ToolContractError where an option is unknown or of the wrong kind.
 */
export function toolContractMiddleware(
  options: ToolContractMiddlewareOptions = {},
): ToolContractMiddleware {
  const parts: MiddlewareParts = {
    ...createGuard("toolContractMiddleware", options, OWN),
    escalate: options.escalate ?? "end",
    toolErrors: options.toolErrors ?? "default",
  };
  return {
    name: options.name ?? "toolContractMiddleware",
    wrapModelCall: wrapModelCallFor(parts),
    wrapToolCall: wrapToolCallFor(parts),
  };
}
