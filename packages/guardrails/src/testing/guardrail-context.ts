import type { GuardrailContext } from "../shared/index.ts";

/** What a check gets for a call of `tool`. */
export function contextOf<State = unknown>(
  args: unknown,
  fields: Partial<GuardrailContext<State>> = {},
): GuardrailContext<State> {
  return {
    tool: "refund",
    args,
    context: {},
    usage: () => {
      throw new Error("there are no limits");
    },
    state: {} as GuardrailContext<State>["state"],
    ran: () => 0,
    result: undefined,
    attempt: 1,
    signal: new AbortController().signal,
    ...fields,
  };
}
