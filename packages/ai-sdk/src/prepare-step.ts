import { EscalationError } from "@toolcontract/core";
import type { PrepareStepFunction, PrepareStepResult, ToolSet } from "ai";
import { escalationsOf } from "./answer.ts";
import type { Guard } from "./guard.ts";
import { replayable } from "./replayable-messages.ts";
import { beginTurn } from "./turn-id.ts";

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
