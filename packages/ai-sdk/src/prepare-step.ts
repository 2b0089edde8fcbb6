import { EscalationError } from "@toolcontract/core";
import { isObserving, lastWords, nextOffer, viewOf } from "@toolcontract/core/adapter";
import type {
  ModelMessage,
  PrepareStepFunction,
  PrepareStepResult,
  StopCondition,
  ToolSet,
} from "ai";
import type { Escalate, Guard } from "./guard.ts";
import { withForcedRetry } from "./force-retry.ts";
import { announcesTools } from "./guarded-tool.ts";
import { mayForceBlocked, withoutBlocked } from "./drop-blocked.ts";
import { escalationsOf } from "./rejection-error.ts";
import { judgeMade } from "./made-calls.ts";
import { createAnswerJudge } from "./output.ts";
import type { OutputOptions } from "./output-options.ts";
import { beginStep, type RunStep } from "./runs.ts";
import { type Held, stepModel, type WrittenCall } from "./step-model.ts";

type Name<TOOLS extends ToolSet> = keyof TOOLS & string;
type StepOptions<TOOLS extends ToolSet> = Parameters<PrepareStepFunction<TOOLS>>[0];
type Steps<TOOLS extends ToolSet> = Parameters<StopCondition<TOOLS>>[0]["steps"];

// The same limit as the SDK's own agents.
const MAX_STEPS = 20;
const NONE: ReadonlySet<string> = new Set();

/** Creates the function that escalates between two steps: it throws, or drops blocked tools, as the user chose. */
export function prepareStepFor<TOOLS extends ToolSet>(
  guard: Guard,
  own: PrepareStepFunction<NoInfer<TOOLS>> | undefined,
  activeTools: readonly Name<TOOLS>[] | undefined,
  output: OutputOptions | undefined,
): PrepareStepFunction<TOOLS> {
  const judgeAnswer = output && createAnswerJudge(output, guard);
  const isExtended = Object.values(guard.tools).some(announcesTools);
  return async (options) => {
    if (guard.escalate === "throw") {
      const [escalation] = escalationsOf(options.steps.slice(-1));
      if (escalation) throw new EscalationError(escalation);
    }
    const requested: PrepareStepResult<TOOLS> = await own?.(options);
    const given = requested?.messages;
    const sent = messagesOfStep(options.messages, given, isExtended);
    const prepared = sent === options.messages ? requested : { ...requested, messages: sent };
    const step = beginStep(options, sent, isExtended);
    if (own) guard.attempts.notePruned(sent, wholeHistory(options));
    const blocked =
      guard.escalate === "drop-tool" ? guard.attempts.blockedIn(options.messages) : NONE;
    const active = prepared?.activeTools ?? activeTools ?? guard.toolNames;
    const turns = guard.escalate === "drop-tool" ? guard.attempts.turns(options.messages) : [];
    const { isForWords } = nextOffer(active, {
      nameOf: (name) => name,
      isBlocked: (name) => blocked.has(name),
      turns,
    });
    // A session has a turn of its own for the end.
    if (isForWords) guard.endNext?.();
    const inWords = isForWords && guard.endNext === undefined;
    const isForced =
      options.steps.length > 0 && mayForceBlocked(prepared?.toolChoice, { active, blocked });
    const choice = inWords ? "none" : isForced ? "auto" : undefined;
    const model = stepModel(prepared?.model ?? options.model, {
      offer(request) {
        const offered = withoutBlocked(request, blocked, step);
        return guard.forcesRetry ? withForcedRetry(offered) : offered;
      },
      judgeAnswer: judgeAnswer?.(step.run.id),
      ...(inWords && { words: lastWords(turns) }),
      holdsInexact: !isObserving(guard.contract),
      look: async (call) => lookAt(call, step, guard),
    });
    return { ...prepared, ...(choice && { toolChoice: choice }), model };
  };
}

/**
 * The messages of a step by which its calls are known. A list of the application's own may be in the steps of other runs too. Of one
 * that the SDK extends it passes on the messages alone, so the first is the step's own.
 */
function messagesOfStep(
  messages: ModelMessage[],
  given: ModelMessage[] | undefined,
  isExtended: boolean,
): ModelMessage[] {
  if (!isExtended) return given ? [...given] : messages;
  const [first, ...rest] = given ?? messages;
  return first ? [{ ...first }, ...rest] : [];
}

/** Holds the calls of dropped tools, and those that the contract refuses for more than their schema. */
async function lookAt(call: WrittenCall, step: RunStep, guard: Guard): Promise<Held | undefined> {
  if (isObserving(guard.contract)) return undefined;
  if (step.dropped.has(call.toolName)) return {};
  try {
    const checked = await judgeMade(call, step, guard);
    return checked?.status === "invalid" ? { checked } : undefined;
  } catch {
    // It is judged once more, where a fault is answered.
    return {};
  }
}

/** The full history. Version 7 passes the messages as earlier steps left them, and the full ones separately. */
function wholeHistory<TOOLS extends ToolSet>(
  options: StepOptions<TOOLS>,
): StepOptions<TOOLS>["messages"] {
  const { messages, initialMessages, responseMessages }: Partial<typeof options> = options;
  return initialMessages && responseMessages
    ? [...initialMessages, ...responseMessages]
    : (messages ?? []);
}

/** The user's stop conditions and the contract's; if there are none, a limit on the number of steps. */
export function stopWhenFor<TOOLS extends ToolSet>(
  escalate: Escalate,
  given: StopCondition<NoInfer<TOOLS>> | readonly StopCondition<NoInfer<TOOLS>>[] | undefined,
): StopCondition<TOOLS>[] {
  const limit: StopCondition<TOOLS> = ({ steps }) => steps.length >= MAX_STEPS;
  const conditions = given ?? limit;
  const list: readonly StopCondition<TOOLS>[] =
    typeof conditions === "function" ? [conditions] : conditions;
  const own = list.map((condition) => onValidCalls<TOOLS>(condition));
  switch (escalate) {
    case "stop":
      return [...own, ({ steps }) => hasEscalation(steps)];
    case "throw":
      // prepareStep throws, so the next step must start.
      return own.map(
        (condition) => (options) => !hasEscalation(options.steps) && condition(options),
      );
    case "drop-tool":
      return [...own];
  }
}

/**
 * A condition that is shown the last step without the calls that did not run, as far as it lists calls: `hasToolCall` would end the run at one
 * that the model is about to correct. They stay in the content of the step.
 */
function onValidCalls<TOOLS extends ToolSet>(
  condition: StopCondition<TOOLS>,
): StopCondition<TOOLS> {
  return (options) => {
    const last = options.steps.at(-1);
    if (last === undefined || !last.toolCalls?.some(isInvalid)) return condition(options);
    const isValid = (call: object): boolean => !isInvalid(call);
    const shown = viewOf(last, {
      toolCalls: last.toolCalls.filter(isValid),
      dynamicToolCalls: last.dynamicToolCalls?.filter(isValid),
    });
    return condition({ ...options, steps: [...options.steps.slice(0, -1), shown] });
  };
}

function isInvalid(call: object): boolean {
  return "invalid" in call && call.invalid === true;
}

function hasEscalation<TOOLS extends ToolSet>(steps: Steps<TOOLS>): boolean {
  return escalationsOf(steps.slice(-1)).length > 0;
}
