import type { Agent, AgentInputItem, FunctionTool, Handoff, Model, Tool } from "@openai/agents";

// What the SDK's generic types come down to for any agent. Its type parameters are invariant, so only `any` fits them all.

/** Any agent, whatever its context and output. */
// oxlint-disable-next-line typescript/no-explicit-any -- the SDK's own bound: its parameters are invariant
export type AnyAgent = Agent<any, any>;
// oxlint-disable-next-line typescript/no-explicit-any -- as above
export type AnyHandoff = Handoff<any, any>;
// oxlint-disable-next-line typescript/no-explicit-any -- as above
export type AnyTool = Tool<any>;
// oxlint-disable-next-line typescript/no-explicit-any -- as above
export type AnyFunctionTool = FunctionTool<any, any, any>;

export type ModelRequest = Parameters<Model["getResponse"]>[0];
export type ModelResponse = Awaited<ReturnType<Model["getResponse"]>>;
/** A tool call of a message. */
export type CallItem = Extract<AgentInputItem, { readonly type: "function_call" }>;
/** A tool that runs at the provider, or searches for other tools. */
export type HostedTool = Extract<AnyTool, { readonly type: "hosted_tool" }>;
