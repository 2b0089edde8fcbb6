// The public API of @toolcontract/ai-sdk/session.

export { agentSession } from "./agent-session.ts";
export type {
  AgentSession,
  AgentSessionOptions,
  GenerateOptions,
  SessionResult,
} from "./agent-session.ts";
export type { SdkTarget, TargetSettings } from "./targets.ts";
