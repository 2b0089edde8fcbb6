import type { ClientTool, ServerTool } from "@langchain/core/tools";
import { ToolContractError } from "@toolcontract/core";
import {
  type OptionRule,
  type OptionRules,
  isBoolean,
  isFunction,
  isString,
  oneOf,
} from "@toolcontract/core/adapter";
import type { AgentMiddleware } from "langchain";
import { createAgentNames } from "./agent-names.ts";
import {
  createGuard,
  type MiddlewareGuard,
  type MiddlewareOwnOptions,
  type ToolContractMiddlewareOptions,
} from "./options.ts";
import { createOfferedTools } from "./sibling-call.ts";
import { wrapModelCallFor } from "./wrap-model-call.ts";
import { wrapToolCallFor } from "./wrap-tool-call.ts";

const OWN: Readonly<Record<keyof MiddlewareOwnOptions, OptionRule>> = {
  escalate: oneOf("end", "drop-tool", "interrupt", "throw"),
  ask: oneOf("answer", "interrupt"),
  toolErrors: {
    wants: '"default", "throw" or a function (error, request) => string',
    fits: (value) => value === "default" || value === "throw" || isFunction.fits(value),
  },
  output: isBoolean,
  retryWith: oneOf("tool-choice"),
  name: isString,
};

/** Checks the options, those of a wider entry point among them, and creates what the hooks share. */
export function createMiddlewareGuard(
  where: string,
  options: ToolContractMiddlewareOptions,
  more: OptionRules = {},
): MiddlewareGuard {
  return {
    ...createGuard(where, options, { ...OWN, ...more }),
    escalate: options.escalate ?? "end",
    forcesRetry: options.retryWith === "tool-choice",
    judgesOutput: options.output === true,
    asksPerson: options.ask === "interrupt",
    toolErrors: options.toolErrors ?? "default",
    offered: createOfferedTools(),
    agents: createAgentNames(),
  };
}

/** Middleware for `createAgent` with no state, context or tools. */
export type ToolContractMiddleware = AgentMiddleware<
  undefined,
  undefined,
  unknown,
  readonly (ClientTool | ServerTool)[],
  readonly []
>;

/**
 * Creates middleware that puts a contract around all tools of an agent: an invalid call is answered with one short
 * message and never runs; after `maxAttempts` it escalates.
 *
 * @remarks Make it the first middleware, so that it sees errors before others retry, hide or rewrite them. A tool
 * that later middleware supplies is judged once LangChain has refused its arguments, by the schema that the model was shown.
 * @throws ToolContractError if an option is unknown or of the wrong type.
 * @example
 * ```ts
 * const middleware = [toolContractMiddleware({ maxAttempts: 3 })];
 * const agent = createAgent({ model, tools, middleware });
 * ```
 * @see packages/langchain/README.md
 */
export function toolContractMiddleware(
  options: ToolContractMiddlewareOptions = {},
): ToolContractMiddleware {
  return middlewareOf(createMiddlewareGuard("toolContractMiddleware", options), options.name);
}

/** The middleware whose hooks share a guard. */
export function middlewareOf(
  guard: MiddlewareGuard,
  name: string = "toolContractMiddleware",
): ToolContractMiddleware {
  return {
    name,
    wrapModelCall: wrapModelCallFor(guard),
    wrapToolCall: wrapToolCallFor(guard),
  };
}

// Without the parentheses it is not middleware, and LangChain would take it for one that does nothing.
for (const hook of ["wrapModelCall", "wrapToolCall"]) {
  Object.defineProperty(toolContractMiddleware, hook, {
    get: () => {
      throw new ToolContractError(
        "toolContractMiddleware: call it, as in middleware: [toolContractMiddleware()].",
      );
    },
  });
}
