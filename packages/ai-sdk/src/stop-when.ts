import type { StopCondition, ToolSet } from "ai";
import { answersOf, escalationsOf, isSettled } from "./answer.ts";
import type { Escalate } from "./with-contract-options.ts";

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
