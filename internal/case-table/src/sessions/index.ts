// The table of sessions that every adapter's session runs, and the function that runs them.
export { describeSessions } from "./describe-sessions.ts";
export type { SessionHost } from "./describe-sessions.ts";
export type { SessionNeed } from "./needs.ts";
export type { SeenMessage, SeenRequest, SeenResult } from "./seen.ts";
export type { CallInReply, CaseError, CaseReply, SessionCase } from "./session-case.ts";
export { SESSIONS } from "./sessions.ts";
export type { World, WorldHost, WorldTarget, WorldTool } from "./world.ts";
