import type { JsonSchema } from "@toolcontract/core";

/** A tool of this made-up framework. */
export interface MiniTool {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly run: (args: unknown, callId: string) => unknown;
}

/** A call as the model wrote it. */
export interface MiniCall {
  readonly id: string;
  readonly tool: string;
  readonly text: string;
}

/** The answer to a call; `meta` stays in the history and is not sent to the model. */
export interface MiniAnswer {
  readonly callId: string;
  readonly text: string;
  readonly failed: boolean;
  readonly meta?: unknown;
  /** True if the loop must end after this step. */
  readonly last?: boolean;
}

/** A message of the conversation. */
export type MiniMessage =
  | { readonly role: "user"; readonly text: string }
  | {
      readonly role: "model";
      readonly text: string;
      readonly calls: readonly MiniCall[];
      readonly stopped?: string;
    }
  | ({ readonly role: "tool" } & MiniAnswer);

type MiniReply = Extract<MiniMessage, { readonly role: "model" }>;

/** The step in which a call is made, as a hook sees it. */
export interface MiniStep {
  readonly thread: string;
  readonly tools: readonly MiniTool[];
  /** All messages; the reply with the call is the last one. */
  readonly messages: readonly MiniMessage[];
  readonly reply: MiniReply;
}

/** A hook around every tool call; `next` runs the tool. */
export type MiniHook = (
  call: MiniCall,
  step: MiniStep,
  next: (args: unknown) => unknown,
) => Promise<MiniAnswer>;

/** An agent: a model, its tools and a hook. */
export interface MiniAgent {
  readonly thread: string;
  readonly model: (messages: readonly MiniMessage[]) => MiniReply | Promise<MiniReply>;
  readonly tools: readonly MiniTool[];
  readonly aroundTool: MiniHook;
}

/** Runs the agent until the model calls no tool, and returns the conversation. */
export async function runAgent(
  agent: MiniAgent,
  before: readonly MiniMessage[],
): Promise<readonly MiniMessage[]> {
  const reply = await agent.model(before);
  const messages = [...before, reply];
  if (reply.calls.length === 0) return messages;
  const step = { ...agent, messages, reply };
  const answers = await Promise.all(reply.calls.map(async (call) => answerCall(call, step)));
  const after = [...messages, ...answers.map((answer) => ({ role: "tool" as const, ...answer }))];
  return answers.some(({ last }) => last) ? after : runAgent(agent, after);
}

/** Runs a call; if the tool throws, the model reads the error, as in most frameworks. */
async function answerCall(call: MiniCall, step: MiniStep & MiniAgent): Promise<MiniAnswer> {
  const tool = step.tools.find(({ name }) => name === call.tool);
  try {
    return await step.aroundTool(call, step, (args) => tool?.run(args, call.id));
  } catch (thrown) {
    return { callId: call.id, text: String(thrown), failed: true };
  }
}
