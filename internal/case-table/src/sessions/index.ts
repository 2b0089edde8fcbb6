// The table of sessions that every adapter's session runs, and the function that runs them.
export { describeSessions } from "./describe-sessions.ts";
export type { SessionCase } from "./session-case.ts";
export { SESSIONS } from "./sessions.ts";
export type {
  CallInReply,
  CaseError,
  CaseReply,
  SeenMessage,
  SeenRequest,
  SeenResult,
  SessionHost,
  SessionNeed,
  World,
  WorldHost,
  WorldTarget,
  WorldTool,
} from "./run-session.ts";
