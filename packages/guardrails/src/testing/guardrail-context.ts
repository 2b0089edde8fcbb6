import type { GuardrailContext } from "../shared/index.ts";

/** What a check gets for a call of `tool`. */
export function contextOf<State = unknown>(
  args: unknown,
  fields: Partial<GuardrailContext<State>> = {},
): GuardrailContext<State> {
  return {
    tool: "refund",
    args,
    state: {} as GuardrailContext<State>["state"],
    touched: [],
    result: undefined,
    attempt: 1,
    signal: new AbortController().signal,
    ...fields,
  };
}
