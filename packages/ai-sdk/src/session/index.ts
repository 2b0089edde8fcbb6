// The public API of @toolcontract/ai-sdk/session.

export { agentSession } from "./agent-session.ts";
export type { AgentSession, AgentSessionOptions, SessionResult } from "./agent-session.ts";
export type { GenerateOptions } from "./generate-options.ts";
export type { SdkTarget, TargetSettings } from "./targets.ts";
