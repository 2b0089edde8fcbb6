// The public surface of @toolcontract/langchain. Named exports only.

// For createAgent
export { toolContractMiddleware } from "./middleware.ts";
export type { ToolContractMiddleware } from "./middleware.ts";
export type {
  Escalate,
  MiddlewareOwnOptions,
  ToolContractMiddlewareOptions,
  ToolErrors,
} from "./options.ts";
export { wrapAgent, wrapAgents } from "./wrap-agents.ts";
export type { WrappableAgent, WrappedAgent } from "./wrap-agents.ts";
export { validCallsOnly } from "./valid-calls-only.ts";
export type { ReviewRequest } from "./valid-calls-only.ts";

// For ToolNode, graphs and direct calls
export { wrapTool, wrapTools } from "./wrap-tool.ts";
export type { WrappableTool, WrapToolOptions, WrapToolOwnOptions } from "./wrap-tool.ts";
export type { AskInterrupt, AskPerson } from "./ask-person.ts";
export { answerUnknownTools } from "./answer-unknown-tools.ts";
export type { ToolRunner } from "./answer-unknown-tools.ts";
export { promoteInvalidToolCalls } from "./promote.ts";
export type { PromoteOptions } from "./promote.ts";
export { repairMessages } from "./sendable-messages.ts";

// For both
export { escalationOf } from "./escalation.ts";
export type { MessagesOrState } from "./escalation.ts";
export type { GuardOptions, ToolContractOptions } from "./options.ts";
export type { NamedTool, SchemaFor } from "./tool-definitions.ts";
export type { NativeCall } from "./messages.ts";
