import {
  createSession,
  type Drive,
  type SessionHost,
  type SessionOptions,
  type SessionRun,
  type TargetRequest,
  type TurnRequest,
} from "../run/index.ts";
import type { AIAgentResult, ReplyFacts, SessionEvent, Target } from "../shared/index.ts";

export type Model = Target<string>;
export type Run = SessionRun<Model>;
export interface Message {
  readonly role: string;
  readonly text: string;
}

export const ASK: Message = { role: "user", text: "ask" };

/** An estimate that a reader can count: one token a character. */
export const characters = (text: string): number => text.length;

/** A clock that a reader can count: each look is a millisecond later. */
export function ticking(): () => number {
  let now = 0;
  return () => (now += 1);
}

/** An answer of a model. */
export function reply(more: Partial<ReplyFacts> = {}): ReplyFacts {
  return { text: "", hasReasoning: false, calls: [], finishReason: "stop", ...more };
}

/** An answer that calls a tool. */
export const CALL: ReplyFacts = reply({ calls: [{ id: "c", name: "t" }] });

/** What a loop of one's own came to, and what was reported of it. */
export type Ran = AIAgentResult<never> & {
  readonly value?: unknown;
  readonly events: readonly SessionEvent[];
};

/** Runs a loop of one's own under a session with two targets. What the loop expects and does not find is thrown on. */
export async function runs(
  loop: (run: Run) => Promise<unknown>,
  options: Partial<SessionOptions<Model>> = {},
  drive: Partial<Drive<Model, never, unknown>> = {},
  host: Partial<SessionHost<Model>> = {},
): Promise<Ran> {
  const events: SessionEvent[] = [];
  const session = createSession<Model>(
    {
      targets: [{ model: "a" }, { model: "b" }],
      sleep: async () => undefined,
      onEvent: (event) => void events.push(event),
      ...options,
    },
    { where: "test", nameOf: ({ model }) => ({ provider: "p", model }), ...host },
  );
  let unmet: Error | undefined;
  const result = await session.run<never, unknown>({
    async call(run) {
      try {
        return await loop(run);
      } catch (thrown) {
        unmet = unmetIn(thrown);
        throw thrown;
      }
    },
    conversation: () => [],
    ...drive,
  });
  if (unmet !== undefined) throw unmet;
  return { ...result, events };
}

/** The failed `expect` in what a loop threw: a session would make it the error of its run. */
function unmetIn(thrown: unknown): Error | undefined {
  if (!(thrown instanceof Error)) return undefined;
  return thrown.name === "AssertionError" ? thrown : unmetIn(thrown.cause);
}

/** One turn in which the model answers at once. */
export async function answered(
  run: Run,
  facts: ReplyFacts,
  messages: readonly Message[] = [ASK],
  request: Partial<TurnRequest> = {},
): Promise<void> {
  await run.turn({ tools: [], messages: () => messages, ...request }, async (attempt) =>
    attempt.end(facts),
  );
}

/** One turn whose answer is passed on before it ends. */
export async function streamed(
  run: Run,
  messages: readonly Message[] = [ASK],
  request: Partial<TurnRequest> = {},
): Promise<TargetRequest<Model>> {
  return run.turn({ tools: [], messages: () => messages, ...request }, async (attempt) => attempt);
}
