export type { Attempt } from "./attempt.ts";
export type { SplitOptions } from "./options.ts";
export { checkTargets, splitLimits } from "./options.ts";
export type { Drive, Session, SessionHost, SessionOptions, SessionRun } from "./session.ts";
export { createSession } from "./session.ts";
export type { LoopEnd } from "./settle.ts";
export type { CallToRun, ShownResult, ToolCallLimits } from "./tool-call.ts";
export type { OfferedTool } from "./offer.ts";
export type { Ask, TurnRequest } from "./turn.ts";
