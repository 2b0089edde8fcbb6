import type { BaseMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { textOfMessage } from "../messages.ts";
import type { AgentSession, AgentSessionOptions, SessionResult } from "../session/index.ts";
import type { TargetLimits } from "@toolcontract/session";
import type { Lab } from "./langchain.ts";
import { type Replies, type SessionModel, sessionModel } from "./session-model.ts";

/** A run of an agent in a session of its own. */
export interface SessionRunInput {
  readonly replies: Replies;
  readonly tools?: readonly StructuredToolInterface[];
  /** Options of the session; the scripted model is its only target by default. */
  readonly options?: Partial<AgentSessionOptions>;
  /** Limits of that target. */
  readonly target?: TargetLimits;
  /** More settings of the agent; `middleware` comes after the session's. */
  readonly agent?: Readonly<Record<string, unknown>> & { readonly middleware?: readonly unknown[] };
  readonly input?: unknown;
  readonly config?: object;
}

/** What a test looks at. */
export interface SessionRan {
  readonly result: SessionResult<Readonly<Record<string, unknown>>>;
  readonly model: SessionModel;
  /** Runs the same agent again. */
  readonly again: (input: unknown, config?: object) => Promise<SessionRan["result"]>;
  readonly session: AgentSession;
}

/** Runs an agent in a new session. */
export async function runSession(lab: Lab, given: SessionRunInput): Promise<SessionRan> {
  const model = sessionModel(lab, given.replies);
  const session = lab.session.agentSession({
    targets: [{ model: model.model, ...given.target }],
    logger: () => undefined,
    ...given.options,
  } as AgentSessionOptions);
  const { middleware = [], ...more } = given.agent ?? {};
  const agent = lab.langchain.createAgent({
    model: model.model,
    tools: [...(given.tools ?? [])],
    middleware: [session.middleware, ...(middleware as [])],
    ...more,
  });
  const again = async (input: unknown, config?: object): Promise<SessionRan["result"]> =>
    session.run(agent, input as never, config) as Promise<SessionRan["result"]>;
  const result = await again(given.input ?? ask(lab), given.config);
  return { result, model, again, session };
}

/** The input of a run: one question. */
export function ask(lab: Lab, text = "What is in my notes?"): { messages: BaseMessage[] } {
  return { messages: [new lab.messages.HumanMessage(text)] };
}

/** The roles of messages, in order. */
export function rolesOf(messages: readonly BaseMessage[] = []): readonly string[] {
  return messages.map((message) => message.getType());
}

/** The contents of the tool messages, in order. */
export function resultsOf(messages: readonly BaseMessage[] = []): readonly unknown[] {
  return messages.filter((one) => one.getType() === "tool").map(({ content }) => content);
}

/** The text of a message. */
export function textAt(messages: readonly BaseMessage[], index: number): string {
  const message = messages.at(index);
  return message ? textOfMessage(message) : "";
}
