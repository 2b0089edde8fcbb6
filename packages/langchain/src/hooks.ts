// What the hooks of LangChain's middleware are called with.
import type { WrapModelCallHook, WrapToolCallHook } from "langchain";

/** A request to the model, as `wrapModelCall` gets it. */
export type HookedRequest = Parameters<WrapModelCallHook>[0];

/** What sends it on. */
export type ModelHandler = Parameters<WrapModelCallHook>[1];

/** A call of a tool, as `wrapToolCall` gets it. */
export type ToolRequest = Parameters<WrapToolCallHook>[0];

/** What runs it. */
export type ToolHandler = Parameters<WrapToolCallHook>[1];
