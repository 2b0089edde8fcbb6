import { EscalationError } from "@toolcontract/core";
import type {
  AssistantModelMessage,
  ModelMessage,
  PrepareStepFunction,
  PrepareStepResult,
  StopCondition,
  ToolSet,
} from "ai";
import { answersOf, escalationsOf, isSettled } from "./rejection-error.ts";
import type { Escalate, Guard } from "./guard.ts";
import { beginTurn } from "./attempts.ts";

type Name<TOOLS extends ToolSet> = keyof TOOLS & string;
type Options<TOOLS extends ToolSet> = Parameters<PrepareStepFunction<TOOLS>>[0];

/** Escalates between two steps: throws, or takes blocked tools off the list, as the user chose. */
export function prepareStepFor<TOOLS extends ToolSet>(
  guard: Guard,
  own: PrepareStepFunction<NoInfer<TOOLS>> | undefined,
  activeTools: readonly Name<TOOLS>[] | undefined,
): PrepareStepFunction<TOOLS> {
  return async (options) => {
    if (guard.escalate === "throw") {
      const [escalation] = escalationsOf(options.steps.slice(-1));
      if (escalation) throw new EscalationError(escalation);
    }
    const wished: PrepareStepResult<TOOLS> = await own?.(options);
    const given = wished?.messages ?? options.messages;
    const sent = replayable(given);
    const prepared = sent === given ? wished : { ...wished, messages: sent };
    beginTurn(options.messages, sent);
    if (own) guard.attempts.notePruned(sent, wholeOf(options));
    return guard.escalate === "drop-tool" ? dropBlocked(options, prepared) : prepared;
  };

  function dropBlocked(
    { messages, steps }: Pick<Options<TOOLS>, "messages" | "steps">,
    prepared: PrepareStepResult<TOOLS>,
  ): PrepareStepResult<TOOLS> {
    const blocked = guard.attempts.blockedIn(messages);
    const active = prepared?.activeTools ?? activeTools ?? guard.toolNames;
    const left = active.filter((name) => !blocked.has(name));
    // Without any tool some providers drop the calls and results from the prompt, the explanation among them.
    if (left.length === active.length || left.length === 0) return prepared;
    // A choice that forces the dropped tool would fail at the provider; in a first step none can be known of.
    const isForced = steps.length > 0 && !isFree(prepared?.toolChoice, blocked);
    return {
      ...prepared,
      activeTools: left,
      ...(isForced && { toolChoice: "auto" }),
    };
  }
}

/** Version 7 hands on what an earlier step left, and beside it all that there was. */
function wholeOf<TOOLS extends ToolSet>(options: Options<TOOLS>): Options<TOOLS>["messages"] {
  const { messages, initialMessages, responseMessages }: Partial<typeof options> = options;
  return initialMessages && responseMessages
    ? [...initialMessages, ...responseMessages]
    : (messages ?? []);
}

/** Tells whether the step has a choice of its own that leaves the blocked tools out. */
function isFree(choice: unknown, blocked: ReadonlySet<string>): boolean {
  if (choice === undefined) return false;
  const named = typeof choice === "object" && choice !== null && "toolName" in choice;
  return !named || !blocked.has(String(choice.toolName));
}

type Steps<TOOLS extends ToolSet> = Parameters<StopCondition<TOOLS>>[0]["steps"];

// As many as the SDK's own agents make.
const MOST_STEPS = 20;

/** The user's stop conditions with the contract's; where there are none, a bound on the number of steps. */
export function stopWhenFor<TOOLS extends ToolSet>(
  escalate: Escalate,
  given: StopCondition<NoInfer<TOOLS>> | readonly StopCondition<NoInfer<TOOLS>>[] | undefined,
): StopCondition<TOOLS>[] {
  const bound: StopCondition<TOOLS> = ({ steps }) => steps.length >= MOST_STEPS;
  const conditions = given ?? bound;
  const own: readonly StopCondition<TOOLS>[] =
    typeof conditions === "function" ? [conditions] : conditions;
  switch (escalate) {
    case "stop":
      return [...own, ({ steps }) => hasEscalation(steps)];
    case "throw":
      // The next step must begin for prepareStep to throw.
      return own.map(
        (condition) => (options) => !hasEscalation(options.steps) && condition(options),
      );
    case "drop-tool":
      return [...own, ({ steps }) => isStuck(steps)];
  }
}

function hasEscalation<TOOLS extends ToolSet>(steps: Steps<TOOLS>): boolean {
  return escalationsOf(steps.slice(-1)).length > 0;
}

/** The model was told to stop calling a blocked tool, and did nothing else than call it again. */
function isStuck<TOOLS extends ToolSet>(steps: Steps<TOOLS>): boolean {
  const last = steps.at(-1);
  const answers = last ? answersOf(last) : [];
  return (
    answers.length > 0 && answers.length === last?.toolCalls.length && answers.every(isSettled)
  );
}

type Part = Exclude<AssistantModelMessage["content"], string>[number];

interface CallingMessage extends AssistantModelMessage {
  readonly content: Exclude<AssistantModelMessage["content"], string>;
}

/**
 * The messages with an object for the arguments of every refused call; the same list where all of them have one.
 *
 * Version 5 keeps malformed arguments as text while streaming, and Anthropic refuses a history with such a call.
 */
export function replayable(messages: ModelMessage[]): ModelMessage[] {
  const refused = new Set(messages.flatMap(refusedIn));
  const isUnread = (part: Part): boolean =>
    part.type === "tool-call" && typeof part.input === "string" && refused.has(part.toolCallId);
  const isCalling = (message: ModelMessage): message is CallingMessage =>
    message.role === "assistant" &&
    typeof message.content !== "string" &&
    message.content.some(isUnread);
  if (!messages.some(isCalling)) return messages;
  const readable = (part: Part): Part => (isUnread(part) ? ({ ...part, input: {} } as Part) : part);
  return messages.map((message) =>
    isCalling(message) ? { ...message, content: message.content.map(readable) } : message,
  );
}

function refusedIn(message: ModelMessage): readonly string[] {
  if (message.role !== "tool") return [];
  return message.content.flatMap((part) =>
    part.type === "tool-result" && part.output.type === "error-text" ? [part.toolCallId] : [],
  );
}
