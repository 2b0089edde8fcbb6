import type { ToolSet } from "ai";
import type { AgentSession, SessionResult } from "../session/index.ts";
import type { Mode, Sdk } from "./sdk.ts";

const MESSAGES = [{ role: "user", content: "What is in my notes?" }];

/** Runs a session in a mode; `settings` are those of the SDK's function or agent. */
export async function runSession(
  { ai }: Sdk,
  mode: Mode,
  session: AgentSession<ToolSet>,
  settings: object = {},
): Promise<SessionResult<unknown>> {
  const { abortSignal, messages = MESSAGES, ...rest } = settings as Record<string, unknown>;
  const call = { messages, ...(abortSignal !== undefined && { abortSignal }) } as never;
  if (mode === "generateText") {
    return session.run(async (options) =>
      ai.generateText({ ...options, ...rest, ...(call as object) } as never),
    );
  }
  if (mode === "streamText") {
    return session.run((options) =>
      ai.streamText({ ...options, ...rest, ...(call as object) } as never),
    );
  }
  const Agent =
    ai.ToolLoopAgent ??
    (ai as unknown as { Experimental_Agent: typeof ai.ToolLoopAgent }).Experimental_Agent;
  return session.run(async (options) => {
    const agent = new Agent({ ...options, ...rest });
    return mode === "agent" ? agent.generate(call) : agent.stream(call);
  });
}
