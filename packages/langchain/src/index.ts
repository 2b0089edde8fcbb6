// The public surface of @toolcontract/langchain. Named exports only.

// For createAgent
export { toolContractMiddleware } from "./middleware.ts";
export type { ToolContractMiddleware } from "./middleware.ts";
export type { MiddlewareOwnOptions, ToolContractMiddlewareOptions } from "./options.ts";
export type { Escalate } from "./options.ts";
export type { ToolErrors } from "./host-errors.ts";
export { validCallsOnly } from "./valid-calls-only.ts";
export type { ReviewRequest } from "./valid-calls-only.ts";

// For ToolNode, graphs and calls by hand
export { wrapTool, wrapTools } from "./wrap-tool.ts";
export type { WrappableTool } from "./wrap-tool.ts";
export { promoteInvalidToolCalls } from "./promote.ts";
export type { PromoteOptions } from "./promote.ts";

// For both
export { escalationOf } from "./escalation.ts";
export type { MessagesOrState } from "./escalation.ts";
export type { GuardOptions, ToolContractOptions } from "./options.ts";
export type { NamedTool, SchemaFor } from "./tool-definitions.ts";
export type { NativeCall } from "./messages.ts";
