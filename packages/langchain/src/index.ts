// The public surface of @toolcontract/langchain. Named exports only.

// For createAgent
export { toolContractMiddleware } from "./tool-contract-middleware.ts";
export type { ToolContractMiddleware } from "./tool-contract-middleware.ts";
export type { MiddlewareOwnOptions, ToolContractMiddlewareOptions } from "./middleware-options.ts";
export type { Escalate } from "./escalate.ts";
export type { ToolErrors } from "./tool-errors.ts";
export { validCallsOnly } from "./valid-calls-only.ts";
export type { ReviewRequest } from "./valid-calls-only.ts";

// For ToolNode, graphs and calls by hand
export { wrapTool, wrapTools } from "./wrap-tool.ts";
export type { WrappableTool } from "./wrap-tool.ts";
export { promoteInvalidToolCalls } from "./promote-invalid-tool-calls.ts";
export type { PromoteOptions } from "./promote-invalid-tool-calls.ts";

// For both
export { escalationOf } from "./escalation-of.ts";
export type { MessagesOrState } from "./escalation-of.ts";
export type { GuardOptions, ToolContractOptions } from "./guard.ts";
export type { NamedTool, SchemaFor } from "./tool-definitions.ts";
export type { NativeCall } from "./native-call.ts";
