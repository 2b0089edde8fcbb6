// The public surface of @toolcontract/langchain/session. Named exports only.

export { agentSession } from "./agent-session.ts";
export type {
  AgentSession,
  AgentSessionOptions,
  RunnableAgent,
  SessionOwnOptions,
  SessionResult,
} from "./agent-session.ts";
export type { AgentTarget } from "./targets.ts";
